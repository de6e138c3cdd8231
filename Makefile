# The two commands a newcomer needs: `make run` and `make test`.

# Many tests wait for a disk, a process or a timer, so there are more of them at a time than cores.
SIDE_BY_SIDE := $(shell echo $$((2 * $$(getconf _NPROCESSORS_ONLN))))

# nextest runs tests in parallel processes and reports better; plain cargo test does where it is missing.
TEST := $(shell cargo nextest --version >/dev/null 2>&1 && echo "cargo nextest run --test-threads $(SIDE_BY_SIDE)" || echo "cargo test --lib --tests")

# What the pages are made of.
PAGE := $(shell find web -path web/node_modules -prune -o -path web/dist -prune -o -path web/tests -prune -o -type f -print)

.PHONY: run release deb test test-citus unit-web bench lint openapi contract examples schema web pictures

run: web ## Build quickly, start on an embedded database with demo data, and say what to open
	cargo run --profile quick --locked -- demo

release: web ## Build the program that is for production: target/release/taquilla
	cargo build --release --locked --bin taquilla

deb: release ## Make a Debian package of it, in target/debian
	packaging/debian/build target/release/taquilla target/debian

test: lint unit-web ## Everything CI checks; installs PostgreSQL, Chromium and Python packages when they are missing
	cargo test --workspace --doc --locked
	tests/slowest tests/with-services $(TEST) --workspace --locked --no-fail-fast

# The servers have the coordinator's address, or with CITUS=citus-worker that of a worker.
CITUS := citus

test-citus: web ## The same promises on a database that is spread over machines; needs Citus beside PostgreSQL (docs/operate/citus.md)
	TAQUILLA_TEST_DATABASE=$(CITUS) tests/with-services cargo nextest run --profile citus --test-threads $(SIDE_BY_SIDE) --workspace --test it --locked --no-fail-fast

unit-web: web ## The rules of the pages, without a browser
	npm --prefix web run --silent unit

bench: web ## Measure against constant bytes, bare programs or another commit; BENCH="--quick" for a first impression, --help for more
	cargo build --release --locked --bin taquilla --example bench-reference
	TAQUILLA_BENCH=1 tests/with-services bench/run.py $(BENCH)

lint: web ## Formatting, warnings, documentation
	cargo fmt --check
	cargo clippy --workspace --all-targets --locked -- --deny warnings
	RUSTDOCFLAGS="--deny warnings" cargo doc --workspace --no-deps --locked --quiet

web: web/dist/door/index.html ## Build the scanner page and what all other pages share, which the binary takes in

web/dist/door/index.html: $(PAGE)
	web/build

pictures: web ## Take the pictures in docs/ anew from a real browser
	TAQUILLA_WRITE_PICTURES=1 tests/with-services $(TEST) --locked door_page::staff_scan_with_their_phones_with_and_without_signal::sqlite
	TAQUILLA_WRITE_PICTURES=1 tests/with-services $(TEST) --locked dashboard_browser::

openapi: web ## Write the OpenAPI documents in docs/ anew from the code
	TAQUILLA_WRITE_OPENAPI=1 $(TEST) --locked openapi::the_committed_documents

schema: web ## Write docs/schema.sql anew from the migrations
	TAQUILLA_WRITE_SCHEMA=1 $(TEST) --locked schema::

contract: web ## Write anew, from the code, what the scanner page and its tests share with the server
	TAQUILLA_WRITE_CONTRACT=1 $(TEST) --locked door_contract:: scripts_write_what_pages_do

examples: web ## Write anew, from what happens, what the documents show: messages, and the outputs of commands
	TAQUILLA_WRITE_EXAMPLES=1 tests/with-services $(TEST) --locked webhook_docs::every_example_is_what_is_sent::sqlite
	TAQUILLA_WRITE_EXAMPLES=1 tests/with-services $(TEST) --locked examples::
