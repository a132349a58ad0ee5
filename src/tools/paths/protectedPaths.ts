// Threat: a file inside the workspace that something else later runs, trusts or obeys: Git hooks, editor tasks, package
// scripts, instructions of this and other agents, our own plugins and config. Writing one is a step out of the workspace.
// And files that hold keys: reading one sends it to the model's provider. Both need a person's yes in every mode.

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
}

const writeRules: readonly ProtectionRule[] = [
  {
    reason: 'Git runs what stands there',
    folders: ['.git', '.hg', '.svn', '.husky', '.githooks'],
    names: [
      '.gitattributes',
      '.gitmodules',
      '.gitconfig',
      'lefthook.yml',
      '.lefthook.yml',
      '.pre-commit-config.yaml',
    ],
  },
  {
    reason: 'the editor runs or trusts what stands there',
    folders: ['.vscode', '.vscode-server', '.idea', '.fleet', '.zed', '.devcontainer'],
    names: ['.devcontainer.json', '.exrc', '.vimrc', '.nvimrc', '.nvim.lua', '.dir-locals.el'],
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
      '.windsurfrules',
      '.goosehints',
      '.augment-guidelines',
      'airules.md',
      'replit.md',
      'conventions.md',
      'skill.md',
    ],
    topNames: ['soul.md', 'tools.md', 'identity.md', 'user.md', 'heartbeat.md', 'boot.md', 'bootstrap.md'],
    name: /\.(?:instructions|prompt|chatmode|agent)\.md$|^(?:agents|claude|gemini|qwen|crush|warp|amp|jules|kimi|iflow|codebuddy)(?:\..+)?\.md$/u,
  },
  {
    reason: 'build servers run it with their own rights',
    folders: ['.github', '.gitlab', '.circleci', '.buildkite', '.teamcity'],
    names: ['.gitlab-ci.yml', '.travis.yml', 'azure-pipelines.yml', 'jenkinsfile', 'bitbucket-pipelines.yml'],
  },
  {
    reason: 'tools run it when a file is saved or the project starts',
    names: [
      'makefile',
      'gnumakefile',
      'justfile',
      'rakefile',
      'gemfile',
      'procfile',
      'conftest.py',
      'setup.py',
      'noxfile.py',
      'sitecustomize.py',
      'usercustomize.py',
      'build.rs',
      'build.gradle',
      'build.gradle.kts',
      'settings.gradle',
      'settings.gradle.kts',
    ],
    name: /\.config\.[cm]?[jt]s$|^\..+rc\.[cm]?[jt]s$|^(?:gulp|grunt)file\.[cm]?[jt]s$|^taskfile\.ya?ml$|^karma\.conf\.[cm]?[jt]s$|\.pth$/u,
  },
  {
    reason: 'what is installed there is run',
    folders: ['node_modules', '.venv', 'venv', 'site-packages'],
  },
  {
    reason: 'package managers run or trust it',
    folders: ['.yarn', '.cargo', '.gradle', '.mvn'],
    names: [
      'package.json',
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
    folders: ['.direnv', '.ssh', '.gnupg'],
    names: [
      '.envrc',
      'mise.toml',
      '.mise.toml',
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
    rule.name?.test(last) === true
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
