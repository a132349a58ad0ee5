import type { HarmlessCommand } from './harmlessCommands.ts';

const reporters =
  'default|verbose|dot|spec|min|nyan|progress|list|line|basic|tap|tap-flat|json|junit|summary|silent|tree|github';
const scriptTests = `-s --silent --verbose --bail --ci --run --no-color --color --passWithNoTests --reporter=${reporters} -t=text --testNamePattern=text --testPathPattern=text --grep=text -g=text --maxWorkers=number --retry=number --testTimeout=number --timeout=number`;
const pytest = {
  does: 'it runs tests',
  options:
    '-q -v -vv -x -s -l -rA -ra -rf -k=text -m=text --tb=auto|long|short|line|native|no --maxfail=number --lf --ff --nf --sw --durations=number --no-header --no-summary --collect-only --quiet --verbose --exitfirst --last-failed --color=yes|no|auto',
  operands: 'name*',
} as const;
const cargo = {
  does: 'it builds or tests',
  options:
    '-q -v -p=text -j=number --quiet --verbose --lib --bins --tests --examples --all --workspace --release --all-targets --all-features --no-default-features --no-run --no-fail-fast --doc --package=text --test=text --bin=text --locked --offline --frozen --keep-going --jobs=number',
  operands: 'text*',
} as const;
const go = {
  does: 'it builds or tests',
  options:
    '-v -x=never -race -short -failfast -run=text -bench=text -benchmem -count=number -timeout=text -cover -json -list=text -parallel=number -shuffle=text',
  operands: 'name*',
} as const;

/**
 * What runs a project's own code. None of it runs without a question; where the user allows one of these, the rest of its row changes
 * nothing about which code that is.
 */
export const runnerCommands: Readonly<Record<string, HarmlessCommand>> = {
  'npm test': { does: 'it runs tests', options: '-s --silent', example: 'npm test' },
  'npm test --': {
    does: 'it runs tests',
    options: scriptTests,
    operands: 'name*',
    example: 'npm test -- -t foo',
  },
  'npm run test': { does: 'it runs tests', options: '-s --silent', example: 'npm run test' },
  'npm run test --': {
    does: 'it runs tests',
    options: scriptTests,
    operands: 'name*',
    example: 'npm run test -- --bail',
  },
  'pnpm test': {
    does: 'it runs tests',
    options: scriptTests,
    operands: 'name*',
    example: 'pnpm test --bail',
  },
  'yarn test': {
    does: 'it runs tests',
    options: scriptTests,
    operands: 'name*',
    example: 'yarn test --bail',
  },
  'vitest run': { does: 'it runs tests', options: scriptTests, operands: 'name*', example: 'vitest run src' },
  jest: { does: 'it runs tests', options: scriptTests, operands: 'name*', example: 'jest src' },
  mocha: { does: 'it runs tests', options: scriptTests, operands: 'name*', example: 'mocha test' },
  pytest: { ...pytest, example: 'pytest -q' },
  'python -m pytest': { ...pytest, example: 'python -m pytest -q' },
  'python3 -m pytest': { ...pytest, example: 'python3 -m pytest -q' },
  'go test': { ...go, obeys: 'go', example: 'go test ./...' },
  'go vet': { does: 'it checks code', operands: 'name*', obeys: 'go', example: 'go vet ./...' },
  'cargo test': { ...cargo, example: 'cargo test --lib' },
  'cargo check': { ...cargo, operands: '', example: 'cargo check' },
  'cargo clippy': { ...cargo, operands: '', example: 'cargo clippy' },
  'cargo build': { ...cargo, operands: '', example: 'cargo build --release' },
  make: {
    does: 'it runs targets',
    options: '-j[=number] -k -n -s -B -i -w',
    operands: 'target*',
    example: 'make -j4 test',
  },
  'tsc --noEmit': {
    does: 'it checks types',
    options: '-p=name --pretty --watch=false --skipLibCheck',
    example: 'tsc --noEmit',
  },
  eslint: {
    does: 'it checks code',
    options: '--quiet --no-color --max-warnings=number --ext=text',
    operands: 'name*',
    example: 'eslint src',
  },
  'prettier --check': {
    does: 'it checks code',
    options: '-l --list-different --no-color',
    operands: 'name*',
    example: 'prettier --check .',
  },
  'ruff check': {
    does: 'it checks code',
    options: '-q --quiet --no-fix',
    operands: 'name*',
    example: 'ruff check .',
  },
};
