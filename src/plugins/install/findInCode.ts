import { hasHiddenCharacters } from '../../base/text.ts';
import type { PluginFile } from '../consent/readPluginFiles.ts';
import { codeOfText } from '../consent/unseenCode.ts';

export type Severity = 'info' | 'warn' | 'critical';

/** One thing to know before installing; field names are upstream's. */
export interface InstallFinding {
  readonly ruleId: string;
  readonly severity: Severity;
  /** Relative to the plugin folder, with forward slashes. */
  readonly file: string;
  /** 1-based. */
  readonly line: number;
  readonly message: string;
}

interface CodeRule {
  readonly ruleId: string;
  readonly severity: Severity;
  readonly message: string;
  readonly pattern: RegExp;
  /** Counts only where the same file also matches this. */
  readonly together?: RegExp;
}

const network = /\bfetch\s*\(|\bWebSocket\b|['"](?:node:)?(?:https?|net|tls|dgram|http2)['"]/u;

/** What is worth a look before code runs with the user's rights. */
const rules: readonly CodeRule[] = [
  {
    ruleId: 'runs-processes',
    severity: 'warn',
    message: 'starts other programs',
    pattern: /['"](?:node:)?(?:child_process|worker_threads|cluster)['"]/u,
  },
  {
    ruleId: 'evaluates-text',
    severity: 'warn',
    message: 'runs text as code',
    pattern: new RegExp(`${codeOfText.source}|\\bvm\\.(?:run|Script|compile)`, 'u'),
  },
  {
    ruleId: 'sends-environment',
    severity: 'critical',
    message: 'reads all environment variables and uses the network',
    pattern: /\bprocess\.env\b(?!\s*(?:\.|\[|\?\.))/u,
    together: network,
  },
  {
    ruleId: 'encoded-text',
    severity: 'warn',
    message: 'holds long encoded text, which may be hidden code',
    pattern: /(?:\\x[0-9a-f]{2}){40}|['"`][A-Za-z0-9+/]{600,}={0,2}['"`]/iu,
  },
];

const codeFile = /\.[cm]?[jt]sx?$/u;
const packages = /(?:^|\/)node_modules\//u;

/** The first place in each file of the plugin's own code where a rule applies. Pure. */
export function findInCode(files: readonly PluginFile[]): readonly InstallFinding[] {
  const decoder = new TextDecoder();
  return files.flatMap((file): readonly InstallFinding[] => {
    if (file.kind !== 'file' || !codeFile.test(file.path) || packages.test(file.path)) return [];
    const text = decoder.decode(file.content);
    const found = rules.flatMap(({ pattern, together, ...rule }): readonly InstallFinding[] => {
      const at = text.search(pattern);
      const counts = at !== -1 && (together === undefined || together.test(text));
      return counts ? [{ ...rule, file: file.path, line: lineAt(text, at) }] : [];
    });
    return [...found, ...hiddenText(file.path, text)];
  });
}

/** Invisible characters make code read otherwise than it runs. */
function hiddenText(file: string, text: string): readonly InstallFinding[] {
  const line = text
    .replace(/^\uFEFF/u, '')
    .split('\n')
    .findIndex(hasHiddenCharacters);
  const message = 'holds invisible characters, which can hide what the code does';
  return line === -1
    ? []
    : [{ ruleId: 'hidden-characters', severity: 'warn', file, line: line + 1, message }];
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}
