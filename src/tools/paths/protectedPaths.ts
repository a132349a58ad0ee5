// Threat: a file inside the workspace that something else later runs, trusts or obeys: Git hooks, editor tasks, package
// scripts, instructions of this and other agents, our own plugins and config. Writing one is a step out of the workspace.
// And files that hold keys: reading one sends it to the model's provider. Both need a person's yes in every mode.

import { versionFiles } from '../../sandbox/findProgram.ts';
import { mayHoldSecrets } from './secretNames.ts';

interface ProtectionRule {
  /** Why, as the user reads it. */
  readonly reason: string;
  /** Everything below a folder of one of these names, and a file of that name. Lower case. */
  readonly folders?: readonly string[];
  /** Files of these names, anywhere; `folder/name` for one folder only. Lower case. */
  readonly names?: readonly string[];
  /** Files of these names, only directly in the workspace folder. */
  readonly topNames?: readonly string[];
  /** Files whose lower-case name matches. */
  readonly name?: RegExp;
  /** Lower-case paths below the workspace folder that match, with forward slashes. */
  readonly path?: RegExp;
}

const writeRules: readonly ProtectionRule[] = [
  {
    reason: 'Git runs what stands there',
    folders: ['.git', '.hg', '.svn', '.husky', '.githooks', '.lefthook', '.lefthook-local'],
    names: [
      '.gitattributes',
      '.gitmodules',
      '.gitconfig',
      // A folder becomes a repository by it, whatever its name.
      'head',
      '.pre-commit-config.yaml',
      '.pre-commit-config.yml',
      '.pre-commit-hooks.yaml',
      'prek.toml',
    ],
    name: /^\.?lefthook\b.*\.(?:ya?ml|toml|jsonc?)$/u,
    // A bare repository, and the hooks of one whose name does not tell. Samples do nothing.
    path: /\.git\/|(?:^|\/)hooks\/(?:(?:pre|post|prepare|proc|fsmonitor)-[\w-]+|(?:applypatch|commit)-msg|update|reference-transaction|push-to-checkout|sendemail-validate)(?:\.exe)?$/u,
  },
  {
    reason: 'the editor runs or trusts what stands there',
    folders: ['.vscode', '.vscode-server', '.idea', '.fleet', '.zed', '.devcontainer'],
    names: [
      '.devcontainer.json',
      '.exrc',
      '.vimrc',
      '.nvimrc',
      '.nvim.lua',
      '.lvimrc',
      '.dir-locals.el',
      '.dir-locals-2.el',
    ],
    name: /\.code-workspace$/u,
  },
  {
    reason: 'agents load plugins, settings or servers from it',
    folders: [
      '.pincer',
      '.openclaw',
      '.claude',
      '.codex',
      '.gemini',
      '.cursor',
      '.windsurf',
      '.roo',
      '.continue',
      '.opencode',
      '.agents',
      '.amazonq',
      '.kiro',
      '.junie',
      '.kilocode',
      '.trae',
      '.qwen',
      '.crush',
      '.warp',
      '.augment',
      '.tabnine',
      '.zencoder',
      '.goose',
      '.factory',
      '.openhands',
      '.devin',
      '.serena',
      '.qodo',
      '.codebuddy',
      '.iflow',
      '.kimi',
      '.rovodev',
      '.firebender',
      '.aiassistant',
      '.amp',
      '.agent',
      '.antigravity',
      '.vibe',
    ],
    names: [
      'openclaw.plugin.json',
      'hook.md',
      '.mcp.json',
      'mcp.json',
      'opencode.json',
      'openclaw.json',
      '.roomodes',
      '.kilocodemodes',
      '.aider.conf.yml',
    ],
  },
  {
    reason: 'later sessions take it as instructions',
    folders: ['.clinerules', '.rules'],
    names: [
      'agent.md',
      'copilot-instructions.md',
      '.cursorrules',
      '.cursor-rules',
      '.windsurfrules',
      '.goosehints',
      '.augment-guidelines',
      'airules.md',
      'replit.md',
      'conventions.md',
      'skill.md',
    ],
    topNames: ['soul.md', 'tools.md', 'identity.md', 'user.md', 'heartbeat.md', 'boot.md', 'bootstrap.md'],
    name: /\.(?:instructions|prompt|chatmode|agent)\.md$|^(?:agents|claude|gemini|qwen|crush|warp|amp|jules|kimi|iflow|codebuddy|antigravity)(?:\..+)?\.md$|^\.roorules/u,
    path: /(?:^|\/)\.ai\/rules/u,
  },
  {
    reason: 'build servers run it with their own rights',
    folders: [
      '.github',
      '.gitlab',
      '.gitea',
      '.forgejo',
      '.circleci',
      '.buildkite',
      '.teamcity',
      '.woodpecker',
      '.semaphore',
      '.builds',
    ],
    // What a pipeline is made of may stand in several files: `azure-pipelines-release.yml`.
    name: /^(?:\.(?:gitlab-ci|travis|drone|woodpecker|cirrus|build)|\.?appveyor|azure-pipelines|bitbucket-pipelines|cloudbuild|buildspec|codemagic|wercker)\b.*\.(?:ya?ml|json|jsonnet|star)$|^jenkinsfile(?:\.|$)/u,
  },
  {
    reason: 'tools run it when a file is saved or the project starts',
    // `.config` is where many look that have a dotfile elsewhere.
    folders: ['.config'],
    names: [
      'makefile',
      'gnumakefile',
      'justfile',
      '.justfile',
      'rakefile',
      'gemfile',
      'procfile',
      'brewfile',
      'vagrantfile',
      'tiltfile',
      'podfile',
      'fastfile',
      'conftest.py',
      'setup.py',
      'setup.cfg',
      'pytest.ini',
      '.pytest.ini',
      'tox.ini',
      'mypy.ini',
      '.mypy.ini',
      'noxfile.py',
      'dodo.py',
      'sitecustomize.py',
      'usercustomize.py',
      'build.rs',
      'build.zig',
      'build.gradle',
      'build.gradle.kts',
      'settings.gradle',
      'settings.gradle.kts',
      'gradle.properties',
      'build.sbt',
      'mix.exs',
      'rebar.config',
      'cmakelists.txt',
      'meson.build',
      'sconstruct',
      'sconscript',
      'flake.nix',
      'shell.nix',
      'default.nix',
      'devenv.nix',
      '.rspec',
      '.rubocop.yml',
      '.gdbinit',
      '.lldbinit',
      '.rprofile',
      '.pnp.cjs',
      '.pnp.loader.mjs',
    ],
    name: /\.config\.(?:[cm]?[jt]s|json)$|^(?:gulp|grunt)file\.[cm]?[jt]s$|^taskfile\.ya?ml$|^karma\.conf\.[cm]?[jt]s$|^vitest\.workspace\.|\.pth$|\.(?:cs|fs|vb|vcx)proj$|^directory\.(?:build|packages)\.(?:props|targets)$|\.cmake$/u,
  },
  {
    reason: 'what is installed there is run',
    folders: ['node_modules', '.venv', 'venv', 'site-packages'],
  },
  {
    reason: 'package managers run or trust it',
    folders: ['.yarn', '.cargo', '.gradle', '.mvn'],
    // Scripts, build backends, plugins and where they come from stand in them beside what is harmless.
    names: [
      'package.json',
      'deno.json',
      'deno.jsonc',
      'composer.json',
      'pyproject.toml',
      'cargo.toml',
      'pom.xml',
      'pipfile',
      'package.swift',
      '.npmrc',
      '.yarnrc',
      '.yarnrc.yml',
      '.pnpmfile.cjs',
      'pnpm-workspace.yaml',
      'bunfig.toml',
      'pip.conf',
      '.bazelrc',
    ],
  },
  {
    reason: 'the shell runs it',
    folders: ['.direnv', '.ssh', '.gnupg', '.mise', 'mise-tasks', '.mise-tasks'],
    names: [
      '.envrc',
      '.bashrc',
      '.bash_profile',
      '.bash_login',
      '.bash_logout',
      '.profile',
      '.zshrc',
      '.zshenv',
      '.zprofile',
      '.zlogin',
      '.inputrc',
    ],
    name: /^\.?mise\b.*\.toml$/u,
  },
  {
    reason: 'it says which version of a program is run',
    names: versionFiles,
  },
  {
    // `.eslintrc`, `.prettierrc.yaml`, `.babelrc.json`, `.mocharc.yml`, `.irbrc`, `.pylintrc` and their like.
    reason: 'a program obeys it when it starts',
    name: /^\.[\w-]+rc(?:\.(?:[cm]?[jt]s|json[5c]?|ya?ml|toml))?$/u,
  },
];

/** Why a place needs a person's yes in every mode, or undefined. `names` are the path's segments below its root. Pure. */
export function protectionOf(names: readonly string[], op: 'read' | 'write'): string | undefined {
  const lower = names.map((name) => name.normalize('NFKC').toLowerCase());
  const written = op === 'write' ? writeRules.find((rule) => matches(rule, lower)) : undefined;
  return written?.reason ?? (mayHoldSecrets(lower) ? 'it may hold secrets' : undefined);
}

function matches(rule: ProtectionRule, names: readonly string[]): boolean {
  const last = names.at(-1);
  if (last === undefined) return false;
  if (rule.folders?.some((folder) => names.includes(folder)) === true) return true;
  const lastTwo = names.slice(-2).join('/');
  return (
    rule.names?.some((name) => name === last || name === lastTwo) === true ||
    (names.length === 1 && rule.topNames?.includes(last) === true) ||
    rule.name?.test(last) === true ||
    rule.path?.test(names.join('/')) === true
  );
}

/** Characters that HFS+ leaves out when it compares names: `.g\u200Cit` opens `.git` there. */
const ignorable = /[\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFEFF\uFE00-\uFE0F]/gu;

/**
 * The name that a file system may take `name` for: without ignorable characters, NTFS streams, and the dots and spaces
 * that Windows drops, with Git's own short name resolved.
 */
export function aliasOf(name: string): string {
  const plain = name.normalize('NFKC').replace(ignorable, '').toLowerCase();
  const stem = plain.replace(/:.*$/u, '').replace(/[. ]+$/u, '');
  return /^git~\d+$/u.test(stem) ? '.git' : stem;
}
