# Verdict. `make help` lists the targets; each one's line is the comment beside it.
.DEFAULT_GOAL := help
SHELL := /bin/sh
MAKEFLAGS += --no-print-directory --no-builtin-rules

# Folders are sources too: their times change when a file is renamed or removed. Not `test` itself, a target's name.
sources = $(shell find $(1) \( -type d -o -name '*.ts' -o -name '*.tsx' -o -name '*.css' \) 2>/dev/null)
SOURCES := $(call sources,src workers db) $(wildcard src/api/docs/*.md)
# Tests that have a long form: more random cases, longer loads, every width and colour, times as they are on a quiet machine.
LONG = $(shell grep -rlE 'isLong|allowedMs|\bshoot\b|\{.*\bcases\b.*\} from|fc\.assert|expectAccessible' test --include='*.test.ts')
# The package's own; the image and kubernetes.yaml have it.
VERSION = $(shell node -p 'require("./package.json").version')
INSTALLED := node_modules/.package-lock.json
# What the server needs, and what is compiled for tests and benchmarks besides.
BUILT := dist/.built
TESTS := dist/test/.built

# In a git worktree node_modules may be a link to another checkout's, which is not ours to install into.
ifneq ($(shell test -L node_modules && echo link),)
INSTALLED :=
endif

.PHONY: help run test test-long faults faults-cluster fuzz conformance tck soak bench bench-batch bench-record bench-flat bench-days bench-flood bench-neighbours bench-import bench-sheets sheet-fixture bench-replay bench-trust \
  bench-engine judge tune mutants pool-status pool-resize screenshots migrate image build lint lint-types lint-style format clean node

help: ## Show this list
	@echo 'Usage: make <target>'
	@echo
	@awk -F ':.*## ' -v first=' help run migrate tune pool-status pool-resize image ' '/^[a-z][a-z-]*:.*## / { \
	  line = sprintf("  %-18s %s\n", $$1, $$2); if (index(first, " " $$1 " ")) own = own line; else rest = rest line } \
	  END { print "To run it:\n" own "\nTo work on it:\n" rest }' $(MAKEFILE_LIST)

run: $(BUILT) ## Start everything: database, cache, schema, demo, server. PORT=3000 ADMIN_PORT=3001
	@node dist/db/run.js

test: $(TESTS) ## Run every test on services of its own. FILES='test/unit/a.test.ts' ARGS='--grep word' SEED=1 MYSQL=9.7 NODE=24
	@folder=$$(node dist/test/support/nodeFolder.js) && PATH="$$folder:$$PATH" && \
	  node dist/test/support/run.js $(ARGS) -- $(FILES)

test-long: $(TESTS) ## Run the tests that have a long form, in that form. FILES= ARGS= SEED=
	@LONG=1 node dist/test/support/run.js $(ARGS) -- $(or $(FILES),$(LONG))

faults: $(TESTS) ## Break MySQL, Redis and processes under load; what clients saw. FAULT_SECONDS=10
	@LONG=1 FAULT_SECONDS=$${FAULT_SECONDS:-10} node dist/test/support/run.js -- test/faults/faults.test.ts \
	  test/faults/supervision.test.ts test/faults/idempotency.test.ts \
	  test/faults/routing.test.ts test/faults/batches.test.ts test/faults/outbox.test.ts test/faults/imports.test.ts \
	  test/faults/masterKey.test.ts test/attacks/hostile.test.ts \
	  test/attacks/raw/slow.test.ts

faults-cluster: $(TESTS) ## Break clusters of MySQL and MariaDB under load; what is left. CLUSTER=mysql,mariadb ROUNDS=3 FAULTS=kill,cut
	@node dist/test/faults/cluster/main.js

fuzz: SEED := $(or $(SEED),$(shell date +%s))
fuzz: $(TESTS) ## Random models, requests and commands. CASES=20000 MUTATIONS=20000 REQUESTS=100000 RUNS=60 EXPLANATIONS=2000 SEED= HOLD=1
	@CASES='$(CASES)' SEED='$(SEED)' node --enable-source-maps dist/test/differential/fuzz.js
	@LONG=1 MUTATIONS='$(or $(MUTATIONS),20000)' REQUESTS='$(or $(REQUESTS),100000)' RUNS='$(or $(RUNS),60)' EXPLANATIONS='$(or $(EXPLANATIONS),2000)' \
	  CHANGE_RUNS='$(or $(CHANGE_RUNS),20)' SEED='$(SEED)' node dist/test/support/run.js -- \
	  test/fuzz/openapi.test.ts test/fuzz/dmn.test.ts test/differential/feel.test.ts test/model/model.test.ts test/model/changes.test.ts test/api/explanations/random.test.ts \
	  $(filter test/unit/%,$(LONG))

mutants: $(TESTS) ## Change the guards' sources; do tests notice? FILES='src/oauth/verify.ts' or parts: FILES=routing
	@node dist/test/mutation/main.js $(FILES)

conformance: $(TESTS) ## Run a folder of public vectors. SUITE=../shared/zen-suite NOW=2025-01-31T12:00:00Z
	@node --enable-source-maps dist/test/conformance/main.js '$(SUITE)' '$(NOW)'

tck: $(TESTS) ## Run a folder of DMN's compatibility kit. SUITE=../shared/dmn-tck ONLY=0004-lending
	@node --enable-source-maps dist/test/conformance/tck/main.js '$(SUITE)' '$(ONLY)'

conformance-agents: $(TESTS) ## Run the Model Context Protocol's own runner on what agents are offered. NODE=22
	@folder=$$(NODE=$(or $(NODE),22) node dist/test/support/nodeFolder.js) && PATH="$$folder:$$PATH" && \
	  CONFORMANCE_RUNNER=@modelcontextprotocol/conformance@0.1.16 node dist/test/support/run.js -- \
	  test/api/agents/conformance.test.ts

judge: $(TESTS) ## Ask a solver, z3, about what is proved of random tables. TABLES=2000 SEED=
	@node --enable-source-maps dist/test/judge/main.js

soak: $(TESTS) ## Mixed load, every answer checked. SECONDS=60 or COUNT=, PROCESSES=1 KINDS= SEED=
	@node dist/test/bench/soak/soak.js

bench: $(TESTS) ## The full path beside peers. SECONDS=5 ROUNDS=5 CONNECTIONS=32,256 PROCESSES=1,2 DURABLE=1 DECISION= BESIDE= BASE=
	@node dist/test/bench/http.js

bench-batch: $(TESTS) ## Batches beside single executions. SECONDS=3 ROUNDS=3 STREAMS=4 CONNECTIONS=32; or memory: COUNT=5000000
	@node dist/test/bench/batch.js

bench-record: $(TESTS) ## What a record takes in MySQL. RECORDS=1000000 SECONDS=3 ROUNDS=5 BASE=
	@node dist/test/bench/record.js

bench-flat: $(TESTS) ## A full database beside an empty one. RECORDS=2000000 DEPLOYMENTS=10000
	@node dist/test/bench/flat.js

bench-days: $(TESTS) ## What executions pay while a day of records is dropped. RECORDS=1000000 ROUNDS=3 SECONDS=10
	@node dist/test/bench/days.js

bench-flood: $(TESTS) ## What attacks cost another workspace, and memory. SECONDS=5 ROUNDS=3 FLOOD=18 PROCESSES=1 KIND=memory
	@node dist/test/bench/flood.js

bench-neighbours: $(TESTS) ## What attacks of one tenant cost another's small executions. SECONDS=10 RATE=50 ATTACK=H4
	@node dist/test/bench/neighbours.js

bench-replay: $(TESTS) ## A replay of many executions, and what it and a shadow cost live ones. RECORDS=100000 SECONDS=3
	@node dist/test/bench/replay.js

bench-import: $(TESTS) ## What imports of 64 MiB cost another workspace. SECONDS=15 ROUNDS=3 PROCESSES=1
	@KIND=imports SECONDS='$(or $(SECONDS),15)' node dist/test/bench/flood.js

bench-trust: $(TESTS) ## What evidence costs, and proofs, outcomes and measures where there are many. RECORDS=2000000 SECONDS=2 ROUNDS=41
	@node dist/test/bench/trust.js

bench-engine: $(TESTS) ## The engine beside the npm package, feelin for DMN, or another version. SUITE=../shared/zen-suite or ../shared/dmn-tck BASE=
	@node --enable-source-maps dist/test/bench/engine/main.js '$(SUITE)'

tune: $(TESTS) ## The best processes, threads and limits for this machine. SECONDS=3 TARGET_MS=200 DECISION=
	@node dist/test/bench/tune.js

pool-status: $(BUILT) ## The worker pool of a running server, live; once into a pipe. ADMIN_PORT=3001
	@node dist/src/cli/pool/poolStatus.js

pool-resize: $(BUILT) ## Change a running server's pool. MIN=1 MAX=4 QUEUE= TIMEOUT_MS= ADMIN_PORT=3001
	@node dist/src/cli/pool/poolResize.js

bench-sheets: $(TESTS) ## What 10,000 rows of 40 columns cost as .xlsx and .csv, both ways. ROUNDS=5
	@node dist/test/bench/sheets.js

sheet-fixture: $(TESTS) ## Have LibreOffice save test/golden/sheets/table.json anew (apt-get install libreoffice-calc-nogui)
	@node dist/test/golden/sheets/make.js

screenshots: $(TESTS) ## Pictures of every page of the console, light and dark, narrow and wide, in .test/shots
	@node dist/test/support/run.js -- test/browser/screenshots.ts

migrate: $(BUILT) ## Bring the schema of DATABASE_URL up to date
	@node dist/db/migrate-main.js

image: ## Build the container image, by podman, docker or buildah. IMAGE=verdict:1.0.0
	@# OCI's own format has no health check, so podman and buildah would drop it.
	@export BUILDAH_FORMAT=docker; for tool in podman docker buildah; do \
	  if "$$tool" info >/dev/null 2>&1; then exec "$$tool" build -f deploy/Dockerfile -t '$(or $(IMAGE),verdict:$(VERSION))' .; fi; done; \
	  echo 'An image is built by podman, docker or buildah; none of them runs here.' >&2; exit 1

build: $(BUILT) ## Install packages and compile to dist/

lint: $(BUILT) ## Check style and types, without a single warning
	@node dist/src/buildApi.js --types
	@$(MAKE) -j2 lint-types lint-style

lint-types:
	@npm run --silent lint:types

lint-style:
	@npm run --silent lint:style

format: $(INSTALLED) ## Put the sources in the house's form
	@npm run --silent format

clean: ## Remove what was built; the data in .run/ stays
	@rm -rf dist node_modules/.cache

node:
	@node -e 'const [a, b] = process.versions.node.split("."); process.exit(a > 20 || (a == 20 && b >= 19) ? 0 : 1)' 2>/dev/null || { \
	  echo "Verdict needs Node 20.19 or later; here is $$(node --version 2>/dev/null || echo none)." \
	    "Get one at https://nodejs.org and run make again." >&2; exit 1; }

# The compiler is a development package, which NODE_ENV=production would have npm leave out.
node_modules/.package-lock.json: package-lock.json package.json | node
	@echo 'Installing packages …'
	@npm ci --include=dev --no-audit --no-fund --loglevel=error
	@touch $@

# Compiled files whose source is gone would still run as tests, so they go first. Types are checked by `make lint` alone.
$(BUILT): $(INSTALLED) package.json tsconfig.json $(SOURCES) | node
	@echo 'Compiling …'
	@if [ -d dist ]; then find dist -name '*.js' | while read -r file; do \
	  source=$${file#dist/}; [ -e "$${source%.js}.ts" ] || rm -f "$$file" "$$file.map"; done; fi
	@npm run --silent build
	@touch $@

$(TESTS): $(BUILT) $(call sources,test/*)
	@npm run --silent compile test
	@touch $@
