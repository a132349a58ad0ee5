import type { AgentFile } from './agentFile.ts';
import { isRecord } from '../../base/json.ts';
import { unknownHint } from './checkPart.ts';
import { expandStrings, type ExpandInput, type ExpandRules } from './expandStrings.ts';
import { guardMeantBy, idleKeys, sectionKeys, type SectionKey } from './knownKeys.ts';
import type { KeyPath } from './parseAgentYaml.ts';
import type { Report } from './report.ts';
import { valueAt } from './valueAt.ts';

type Root = Readonly<Record<string, unknown>>;

/** The parts of a file that count, with variables put in. */
export interface Sections {
  /** Undefined where the file says nothing about it. */
  readonly values: Readonly<Partial<Record<SectionKey, unknown>>>;
  readonly secrets: AgentFile['secrets'];
}

/** Takes the parts out of a file; every other key is named. */
export function readSections(root: Root, input: ExpandInput, report: Report): Sections {
  reportOtherKeys(root, report);
  const rules = rulesFor(root);
  const read = sectionKeys.flatMap((key) => {
    const said = root[key];
    // A key whose value is commented out says nothing; but who writes internalTools means to take some away.
    const isSilent = said === undefined || (said === null && key !== 'internalTools');
    return isSilent ? [] : [{ key, ...expandStrings(said, [key], input, rules, report) }];
  });
  return {
    values: Object.fromEntries(read.map(({ key, value }) => [key, value])),
    secrets: [...new Set(read.flatMap(({ secrets }) => secrets))],
  };
}

function rulesFor(root: Root): ExpandRules {
  return {
    isProse: (path) =>
      (path[0] === 'systemPrompt' && (path.length === 1 || path.at(-1) === 'content')) ||
      isNamedValue(root, path),
    isPlace,
    isIdle: (path) => {
      const [part, key] = path;
      if (part === 'mcpServers') return true;
      if (part === 'llm') return key === 'apiKey' || key === 'baseURL';
      if (part !== 'plugins' && part !== 'hooks') return false;
      // plugins.contentPolicy, hooks[0], plugins.custom[0]
      const plugin = valueAt(root, path.slice(0, typeof path[2] === 'number' ? 3 : 2));
      return isRecord(plugin) && plugin['enabled'] === false;
    },
  };
}

/**
 * A value of a server that is a variable and nothing else: it is read when the server starts, so that what was agreed to is its name and
 * stays the same when the key is another one.
 */
function isNamedValue(root: Root, path: KeyPath): boolean {
  const [part, , key] = path;
  if (part !== 'mcpServers' || path.length !== 4 || (key !== 'env' && key !== 'headers')) return false;
  const value = valueAt(root, path);
  return typeof value === 'string' && /^\$(?:\{[A-Za-z_]\w*\}|[A-Za-z_]\w*)$/u.test(value);
}

/** Modules of plugins, files of storage, files of the system prompt: with $HOME in one, every path of the user would be a secret. */
function isPlace(path: KeyPath): boolean {
  const [part, list] = path;
  const key = path.at(-1);
  switch (part) {
    case 'plugins':
      if (typeof list === 'number') return key === 'module' && path.length === 3;
      return key === 'module' && path.length === 4 && (list === 'custom' || list === 'registry');
    case 'hooks':
      return key === 'module' && path.length === 3;
    case 'storage':
      return path.length === 3 && (key === 'path' || key === 'storePath');
    case 'systemPrompt':
      return path.at(-2) === 'files';
    default:
      return false;
  }
}

function reportOtherKeys(root: Root, report: Report): void {
  const silent: readonly string[] = [...sectionKeys, '$schema'];
  for (const key of Object.keys(root).filter((each) => !silent.includes(each))) {
    const guard = guardMeantBy(key);
    if (Object.hasOwn(idleKeys, key)) {
      const instead = idleKeys[key] ?? '';
      report.add({
        level: 'info',
        code: 'agent_file_key_idle',
        path: [key],
        at: 'key',
        message: `${key} has no effect here.`,
        hint: instead === '' ? 'It may stay for other programs that read this file.' : instead,
      });
    } else {
      report.add({
        level: guard === undefined ? 'warn' : 'error',
        code: 'agent_file_key_unknown',
        path: [key],
        at: 'key',
        message: `${key} is no key of an agent file.`,
        hint: guard === undefined ? unknownHint(key, sectionKeys) : `Did you mean ${guard}?`,
      });
    }
  }
}
