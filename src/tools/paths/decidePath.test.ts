import { posix } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decidePath, type PathOp, type PathVerdict } from './decidePath.ts';
import type { WorkspaceLayout } from './workspaceLayout.ts';

const linux: WorkspaceLayout = { roots: ['/w/proj'], platform: 'linux' };
const two: WorkspaceLayout = { roots: ['/w/proj', '/w/lib'], platform: 'linux' };
const mac: WorkspaceLayout = { roots: ['/Users/u/Proj'], platform: 'darwin' };
const windows: WorkspaceLayout = { roots: ['C:\\w\\proj'], platform: 'win32' };

function verdict(layout: WorkspaceLayout, input: string, op: PathOp): string {
  const found = decidePath(layout, input, op);
  return found.kind === 'block' ? `block ${found.code}` : `${found.kind} ${found.label}`;
}

describe('on POSIX, reading', () => {
  test.each([
    ['src/a.ts', 'allow src/a.ts'],
    ['./src//a.ts', 'allow src/a.ts'],
    ['src/x/../a.ts', 'allow src/a.ts'],
    ['src/.../a', 'allow src/.../a'],
    ['/w/proj/src/a.ts', 'allow src/a.ts'],
    ['../proj/a', 'allow a'],
    ['.gitignore', 'allow .gitignore'],
    ['docs/日本語.md', 'allow docs/日本語.md'],
    ['docs/cafe\u0301.md', 'allow docs/cafe\u0301.md'],
    ['docs/👩\u200D💻.md', 'allow docs/👩\u200D💻.md'],
    ['100%.md', 'allow 100%.md'],
    ['a%20b.md', 'allow a%20b.md'],
    ['app/routes/$id.tsx', 'allow app/routes/$id.tsx'],
    ['./$lib/a.ts', 'allow $lib/a.ts'],
    ['./~tmp', 'allow ~tmp'],
    ['../secret.txt', 'block path_outside'],
    ['./..//../etc/passwd', 'block path_outside'],
    ['/w/proj/../lib/x', 'block path_outside'],
    ['/w/proj-evil/a', 'block path_outside'],
    ['/w', 'block path_outside'],
    ['/', 'block path_is_folder'],
    ['/proc/self/environ', 'block path_outside'],
    ['//server/share/x', 'block path_outside'],
    ['$HOME/.ssh/id_rsa', 'block path_variable'],
    ['${workspaceFolder}/../x', 'block path_variable'],
    ['%USERPROFILE%/x', 'block path_variable'],
    ['~/x', 'block path_variable'],
    ['file:///etc/passwd', 'block path_is_uri'],
    ['vscode-userdata:/User/settings.json', 'block path_is_uri'],
    ['src/..%2f..%2fetc/passwd', 'block path_encoded'],
    ['src/%252e%252e/x', 'block path_encoded'],
    ['..%c0%afetc/passwd', 'block path_encoded'],
    ['caf%c3%a9.md', 'allow caf%c3%a9.md'],
    ['src/a\u0000.ts', 'block path_control_character'],
    ['src/a\n.ts', 'block path_control_character'],
    ['src/\u202Ea.ts', 'block path_control_character'],
    ['src/\uFF0E\uFF0E/x', 'block path_dot_alias'],
    ['src/.\u200B./x', 'block path_invisible_character'],
    ['src/a\u200B.ts', 'block path_invisible_character'],
    ['src/a\uFE0F.ts', 'block path_invisible_character'],
    ['src/a\u{E0041}.ts', 'block path_invisible_character'],
    ['src/\u2764\uFE0F.md', 'allow src/\u2764\uFE0F.md'],
    ['src/\u0645\u06CC\u200C\u062E.md', 'allow src/\u0645\u06CC\u200C\u062E.md'],
    ['src\\..\\..\\x', 'block path_backslash'],
    [' a.ts', 'block path_spaces'],
    ['', 'block path_empty'],
    [`${'a/'.repeat(2_100)}x`, 'block path_too_long'],
    ['x'.repeat(256), 'block path_too_long'],
    ['.', 'block path_is_folder'],
    ['src/', 'block path_is_folder'],
  ])('%j gives %s', (input, expected) => {
    expect(verdict(linux, input, 'read')).toBe(expected);
  });
});

describe('what needs a yes in every mode', () => {
  test.each([
    'AGENTS.md',
    'docs/CLAUDE.md',
    'AGENTS.override.md',
    'openclaw.json',
    '.aider.conf.yml',
    'TOOLS.md',
    'plugins/x/openclaw.plugin.json',
    '.openclaw/plugins/x/index.ts',
    '.pincer/config.jsonc',
    '.mcp.json',
    '.gitattributes',
    '.gitmodules',
    '.git/hooks/pre-commit',
    'vendor/lib/.git/config',
    '.GIT/config',
    '.vscode/tasks.json',
    'x.code-workspace',
    '.idea/workspace.xml',
    '.envrc',
    '.env',
    '.cursorrules',
    '.github/workflows/ci.yml',
    'package.json',
    'packages/a/package.json',
    '.npmrc',
    '.husky/pre-commit',
    '.ssh/authorized_keys',
  ])('writing %s', (input) => {
    expect(decidePath(linux, input, 'write').kind).toBe('ask');
  });

  test.each([
    '.env',
    '.env.local',
    'config/.env.production',
    'prod.env',
    '.npmrc',
    '.aws/credentials',
    '.git/config',
    'keys/server.pem',
    'id_ed25519',
    'AuthKey.p8',
    'auth.json',
    '.config/gh/hosts.yml',
    '.openclaw/auth-profiles.json',
    'infra/terraform.tfstate',
  ])('reading %s', (input) => {
    expect(decidePath(linux, input, 'read').kind).toBe('ask');
    expect(decidePath(linux, input, 'search').kind).toBe('ask');
    expect(decidePath(linux, input, 'list').kind).toBe('ask');
  });

  test.each([
    'eslint.config.mjs',
    '.prettierrc.js',
    'web/vite.config.ts',
    'tests/conftest.py',
    'Makefile',
    '.venv/lib/python3.11/site-packages/x.pth',
    'node_modules/npm/lib/cli.js',
    'QWEN.md',
    '.kilocode/rules/a.md',
    'CRUSH.md',
    ...`.eslintrc .eslintrc.json .prettierrc .prettierrc.yaml .mocharc.yml .babelrc .babelrc.json babel.config.json .stylelintrc
    jest.config.json vitest.workspace.ts .lintstagedrc .lintstagedrc.yaml pytest.ini tox.ini setup.cfg .pylintrc mypy.ini .mypy.ini
    .rspec .rubocop.yml CMakeLists.txt cmake/x.cmake composer.json build.sbt mix.exs Vagrantfile Tiltfile flake.nix shell.nix
    default.nix .pnp.cjs .pnp.loader.mjs pyproject.toml crates/a/Cargo.toml pom.xml app/App.csproj Directory.Build.props
    mise.toml mise.local.toml .mise.toml .mise.production.toml .config/mise.toml mise/config.toml .config/eslintrc
    rust-toolchain rust-toolchain.toml .tool-versions .node-version .php-version
    .gdbinit .lldbinit .irbrc .pryrc .psqlrc .sqliterc .Rprofile .exrc .nvimrc .nvim.lua
    mirror.git/hooks/post-receive mirror.git/config bare/hooks/pre-commit bare/hooks/update bare/HEAD .githooks/pre-push
    lefthook.yml lefthook-local.yml .lefthook.toml .lefthook/pre-commit/a.sh .pre-commit-hooks.yaml
    .drone.yml .woodpecker.yml .woodpecker/a.yaml appveyor.yml .appveyor.yml cloudbuild.yaml buildspec.yml azure-pipelines.yml
    azure-pipelines-release.yml bitbucket-pipelines.yml .circleci/config.yml .gitlab-ci.yml .gitlab-ci-jobs.yml .travis.yml
    Jenkinsfile Jenkinsfile.release .roorules .roorules-code .roo/rules/a.md .cursor-rules .ai/rules.md .ai/rules/a.md .agent/a.md
    ANTIGRAVITY.md .vibe/config.toml`
      .trim()
      .split(/\s+/u),
  ])('writing %s asks: tools and agents run or obey it', (input) => {
    expect(decidePath(linux, input, 'write').kind).toBe('ask');
    expect(decidePath(linux, input, 'read').kind).toBe('allow');
  });

  test.each([
    ['package.json', 'read'],
    ['AGENTS.md', 'read'],
    ['.env.example', 'read'],
    ['docs/tools.md', 'write'],
    ['docs/agents-intro.md', 'write'],
    ['locales/de/auth.json', 'read'],
    ['id_rsa.pub', 'read'],
    ['.env/bin/python', 'read'],
    ['src/environment.ts', 'write'],
    ['src/hooks/useTide.ts', 'write'],
    ['hooks/pre-commit.md', 'write'],
    ['docs/lefthook.md', 'write'],
    ['src/rc.ts', 'write'],
    ['src/mise.ts', 'write'],
    ['.ai/notes.md', 'write'],
    ['config/app.json', 'write'],
    ['src/headers.ts', 'write'],
    ['requirements.txt', 'write'],
  ] as const)('but not %s for %s', (input, op) => {
    expect(decidePath(linux, input, op).kind).toBe('allow');
  });

  test.each(['.git./config', '.git /config', '.git::$INDEX_ALLOCATION/config', 'git~1/config'])(
    'and another spelling of a protected name (%j) is refused',
    (input) => expect(verdict(linux, input, 'write')).toBe('block path_alias'),
  );
});

describe('with several folders', () => {
  test.each([
    ['src/a.ts', 'allow proj/src/a.ts', '/w/proj/src/a.ts'],
    ['lib/a.ts', 'allow lib/a.ts', '/w/lib/a.ts'],
    ['proj/lib/a.ts', 'allow proj/lib/a.ts', '/w/proj/lib/a.ts'],
    ['../lib/a.ts', 'allow lib/a.ts', '/w/lib/a.ts'],
    ['/w/lib/a.ts', 'allow lib/a.ts', '/w/lib/a.ts'],
  ])('%s is %s', (input, expected, path) => {
    expect(verdict(two, input, 'read')).toBe(expected);
    expect(decidePath(two, input, 'read')).toMatchObject({ path });
  });

  test('a label leads back to the same file', () => {
    const layout: WorkspaceLayout = { roots: ['/w/proj', '/v/proj', '/w/lib'], platform: 'linux' };
    for (const path of ['/w/proj/a', '/v/proj/a', '/w/lib/a', '/w/proj/lib/a']) {
      const found = decidePath(layout, path, 'read');
      expect(found.kind === 'block' ? found : decidePath(layout, found.label, 'read')).toMatchObject({
        path,
      });
    }
  });

  test('a place between two of them is in neither', () => {
    expect(verdict(two, '../other/a', 'read')).toBe('block path_outside');
  });

  test('the innermost folder holds a file', () => {
    const nested: WorkspaceLayout = { roots: ['/w', '/w/proj'], platform: 'linux' };
    expect(decidePath(nested, '/w/proj/a', 'read')).toMatchObject({ root: '/w/proj', label: 'proj/a' });
  });
});

test('without a folder every path is refused', () => {
  expect(verdict({ roots: [], platform: 'linux' }, 'a', 'read')).toBe('block no_workspace');
});

test('macOS compares names without case and composition, and answers with the path as the folder was opened', () => {
  expect(decidePath(mac, '/users/U/proj/a.md', 'read')).toMatchObject({ path: '/Users/u/Proj/a.md' });
});

describe('on Windows', () => {
  test.each([
    ['src\\a.ts', 'allow src/a.ts'],
    ['src/a.ts', 'allow src/a.ts'],
    ['c:\\W\\PROJ\\src\\a.ts', 'allow src/a.ts'],
    ['.Git/config', 'ask .Git/config'],
    ['..\\..\\x', 'block path_outside'],
    ['src\\..\\..\\x', 'block path_outside'],
    ['D:\\w\\proj\\a', 'block path_outside'],
    ['\\w\\proj\\a', 'block path_outside'],
    ['C:a.ts', 'block path_drive_relative'],
    ['\\\\localhost\\C$\\x', 'block path_unc'],
    ['//server/share/x', 'block path_unc'],
    ['\\\\.\\PhysicalDrive0', 'block path_device'],
    ['\\\\?\\UNC\\server\\share\\x', 'block path_device'],
    ['\\??\\C:\\x', 'block path_device'],
    ['CON', 'block path_reserved'],
    ['src/nul', 'block path_reserved'],
    ['NUL .txt', 'block path_reserved'],
    ['com1.log', 'block path_reserved'],
    ['console.ts', 'allow console.ts'],
    ['a.txt.', 'block path_trailing_dot'],
    ['b /a.txt', 'block path_trailing_dot'],
    ['.git./config', 'block path_trailing_dot'],
    ['.git::$INDEX_ALLOCATION/config', 'block path_windows_name'],
    ['src/a.txt:stream', 'block path_windows_name'],
    ['PROGRA~1/x', 'block path_short_name'],
  ])('%j gives %s', (input, expected) => {
    expect(verdict(windows, input, 'write')).toBe(expected);
  });

  test('a folder on a share holds its own files and no others', () => {
    const share: WorkspaceLayout = { roots: ['\\\\srv\\team\\proj'], platform: 'win32' };
    expect(verdict(share, '\\\\srv\\team\\proj\\a', 'read')).toBe('allow a');
    expect(verdict(share, '\\\\srv\\team\\other', 'read')).toBe('block path_unc');
    expect(verdict(share, '\\srv\\team\\proj\\a', 'read')).toBe('block path_outside');
  });
});

describe('whatever the input', () => {
  const name = fc.constantFrom('..', '.', 'a', 'proj', 'lib', 'w', '...', '', '.git', '~', 'etc');
  const input = fc
    .tuple(fc.constantFrom('', '/', './', '/w/', '/w/proj/'), fc.array(name, { maxLength: 8 }))
    .map(([start, names]) => start + names.join('/'));
  const inside = (found: PathVerdict): boolean =>
    found.kind === 'block' ||
    two.roots.some((root) => found.path === root || found.path.startsWith(`${root}/`));

  test('an allowed path lies in a workspace folder and is where POSIX would look', () => {
    fc.assert(
      fc.property(fc.oneof(input, fc.string()), (text) => {
        const found = decidePath(two, text, 'list');
        if (found.kind === 'block') return true;
        return inside(found) && found.path === posix.normalize(found.path);
      }),
      { numRuns: 3_000 },
    );
    fc.assert(
      fc.property(input, (text) => {
        const found = decidePath(linux, text, 'list');
        const expected = posix.resolve('/w/proj', text);
        return found.kind === 'block' || found.path === expected;
      }),
      { numRuns: 3_000 },
    );
  });
});
