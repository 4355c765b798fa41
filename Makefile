# Everything is in scripts/dev.py, so that it also works where there is no make.
#   make run [PORT=8501] [HOST=127.0.0.1]     make test [ARGS="-k train"]     make check
PYTHON ?= python3

.PHONY: run test check

run:
	@$(PYTHON) scripts/dev.py run $(if $(PORT),--port $(PORT)) $(if $(HOST),--host $(HOST))

test:
	@$(PYTHON) scripts/dev.py test $(ARGS)

check:
	@$(PYTHON) scripts/dev.py check
