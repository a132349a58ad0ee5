// Threat: the agent, misled by something it read, writes where a write turns into running code or a leaked secret: git
// hooks, editor tasks, package scripts, plugin code. Names are compared as file systems do that ignore case, trailing dots
// and spaces, or know a second, short name for a file.

import { compilePathGlob, type PathGlob } from './pathGlob.ts';

export type WriteVerdict =
  | { readonly kind: 'allow' }
  | { readonly kind: 'block' | 'ask'; readonly path: string; readonly why: string };

/** More rules, from the plugin's settings. */
export interface GuardRules {
  readonly block: readonly string[];
  readonly ask: readonly string[];
}

interface Rule {
  readonly glob: string;
  readonly why: string;
}

const blocked: readonly Rule[] = [
  { glob: '.git', why: 'git follows this file to its repository' },
  { glob: '.git/**', why: 'what is written there can run as a git hook or rewrite history' },
];

const asked: readonly Rule[] = [
  { glob: 'openclaw.plugin.json', why: 'It says what a plugin may do.' },
  { glob: '.pincer/**', why: 'It holds plugins and settings of this agent.' },
  { glob: '.openclaw/**', why: 'It holds plugins of this agent.' },
  { glob: '.vscode/*.json', why: 'Editor settings and tasks can start programs.' },
  { glob: '*.code-workspace', why: 'Editor settings and tasks can start programs.' },
  { glob: '.github/workflows/**', why: 'Workflows run on the build server.' },
  { glob: '.husky/**', why: 'It runs at every commit.' },
  { glob: '.gitmodules', why: 'It says where git fetches code from.' },
  { glob: 'package.json', why: 'Its scripts run when packages are installed or started.' },
  { glob: '.npmrc', why: 'It says where packages come from and may hold a token.' },
  { glob: '.yarnrc*', why: 'It says where packages come from.' },
  { glob: '.env*', why: 'It usually holds secrets.' },
  { glob: 'AGENTS.md', why: 'Agents take it for instructions.' },
  { glob: 'CLAUDE.md', why: 'Agents take it for instructions.' },
];

export type WriteJudge = (paths: readonly string[]) => WriteVerdict;

/** Judges a call by the paths that it writes: the first blocked one counts, else the first to ask about. */
export function createWriteJudge(rules: GuardRules = { block: [], ask: [] }): WriteJudge {
  const block = compile([...blocked, ...rules.block.map((glob) => ({ glob, why: 'your settings say so' }))]);
  const ask = compile([...asked, ...rules.ask.map((glob) => ({ glob, why: 'Your settings ask for this.' }))]);
  return (paths) => firstHit('block', block, paths) ?? firstHit('ask', ask, paths) ?? { kind: 'allow' };
}

const pathParams = ['path', 'file_path', 'filePath', 'file', 'target', 'destination', 'from', 'to'];

/** The paths a call names, as the agent wrote them and as the host reads them; both, since either may be incomplete. */
export function pathsOf(event: {
  readonly params: Readonly<Record<string, unknown>>;
  readonly derivedPaths?: readonly string[];
}): readonly string[] {
  const named = pathParams.map((param) => event.params[param]).filter((value) => typeof value === 'string');
  return [...named, ...(event.derivedPaths ?? [])];
}

interface CompiledRule {
  readonly fits: PathGlob;
  readonly why: string;
}

/** A rule holds from any folder on. */
function compile(rules: readonly Rule[]): readonly CompiledRule[] {
  return rules.map(({ glob, why }) => ({ fits: compilePathGlob(`**/${plainNames(glob).join('/')}`), why }));
}

function firstHit(
  kind: 'block' | 'ask',
  rules: readonly CompiledRule[],
  paths: readonly string[],
): WriteVerdict | undefined {
  for (const path of paths) {
    const names = plainNames(path);
    const rule = rules.find(({ fits }) => fits(names));
    if (rule !== undefined) return { kind, path: path.split(/[\\/]/u).slice(-3).join('/'), why: rule.why };
  }
  return undefined;
}

/** The names of a path in lower case, without `.` and `..`, each as Windows and macOS would read it. */
function plainNames(path: string): readonly string[] {
  const parts: string[] = [];
  for (const raw of path
    .normalize('NFC')
    .toLowerCase()
    .split(/[\\/]+/u)) {
    const name = raw === '..' ? raw : plainName(raw);
    if (name === '..') parts.pop();
    else if (name !== '') parts.push(name);
  }
  return parts;
}

function plainName(name: string): string {
  const plain = name
    .replace(/[\u200c\u200d\ufeff]/gu, '')
    .replace(/:.*$/u, '')
    .replace(/[. ]+$/u, '');
  return /^git~\d$/u.test(plain) ? '.git' : plain;
}
