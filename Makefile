# The two commands a newcomer needs: `make run` and `make test`.

# nextest runs tests in parallel processes and reports better; plain cargo test does where it is missing.
TEST := $(shell cargo nextest --version >/dev/null 2>&1 && echo "cargo nextest run" || echo "cargo test")

.PHONY: run test bench lint openapi

run: ## Build, start on an embedded database with demo data, and say what to open
	cargo run --release --locked -- demo

test: lint ## Everything CI checks; installs PostgreSQL and schemathesis when they are missing
	tests/with-services $(TEST) --locked

bench: ## Measure against constant bytes and bare queries; BENCH="--quick" for a first impression, --help for more
	cargo build --release --locked --bin taquilla --example bench-reference
	TAQUILLA_BENCH=1 tests/with-services bench/run.py $(BENCH)

lint: ## Formatting, warnings, documentation
	cargo fmt --check
	cargo clippy --all-targets --locked -- --deny warnings
	RUSTDOCFLAGS="--deny warnings" cargo doc --no-deps --locked --quiet

openapi: ## Write docs/openapi.json anew from the code
	TAQUILLA_WRITE_OPENAPI=1 $(TEST) --locked openapi::the_committed_document
