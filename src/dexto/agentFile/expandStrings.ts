// Threat: an agent file names files through its folder; `..` behind the variable would lead out of it unseen. And folder names are
// hostile, too: what is put in is never read again as a pattern or a variable.
import { pathToFileURL } from 'node:url';
import { nearestFirst } from '../../base/nearestFirst.ts';
import { isRecord } from '../../base/json.ts';
import type { KeyPath } from './parseAgentYaml.ts';
import { pathText, type Report } from './report.ts';

/** What a text may stand for. */
export interface ExpandInput {
  /** `${{dexto.agent_dir}}`: absolute, links resolved. */
  readonly agentDir: string;
  /** `${{dexto.project_dir}}`: the workspace folder; undefined where there is none. */
  readonly projectDir: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface ExpandRules {
  /** Prose for people and models: no environment variables, and `..` means nothing. */
  isProse(path: KeyPath): boolean;
  /** Names a place on disk: what stands there is no secret, and everybody has to be told of it. */
  isPlace(path: KeyPath): boolean;
  /** True where a missing variable does no harm: it is a warning, and the text stays as it is. */
  isIdle(path: KeyPath): boolean;
}

interface Expanded {
  readonly value: unknown;
  /** Values of environment variables that were put in, but for names of places. */
  readonly secrets: readonly string[];
}

/**
 * Replaces `${{dexto.agent_dir}}`, `${{dexto.project_dir}}`, `$NAME` and `${NAME}` in every text below `root`; never in keys.
 * `$$NAME` gives `$NAME`. Pure (Dexto plugin specification, Path Resolution).
 */
export function expandStrings(
  value: unknown,
  root: KeyPath,
  input: ExpandInput,
  rules: ExpandRules,
  report: Report,
): Expanded {
  const secrets = new Set<string>();
  const walk = (each: unknown, path: KeyPath): unknown => {
    if (typeof each === 'string') return expandOne(each, path);
    if (Array.isArray(each)) return each.map((item, index) => walk(item, [...path, index]));
    if (!isRecord(each)) return each;
    return Object.fromEntries(Object.entries(each).map(([key, item]) => [key, walk(item, [...path, key])]));
  };

  const expandOne = (text: string, path: KeyPath): string => {
    if (!text.includes('$') && !text.includes('{{')) return text;
    const isProse = rules.isProse(path);
    // One pass: what is put in is not looked at again. A function, since `$&` in a replacement text would be a pattern.
    return text.replace(placeholder, (whole: string, ...found: unknown[]) => {
      const [dollar, folder, escaped, braced, bare] = found as (string | undefined)[];
      if (folder !== undefined) {
        const offset = found.at(-2);
        return expandFolder({
          text,
          path,
          whole,
          folder,
          isProse,
          hasDollar: dollar === '$',
          offset: Number(offset),
        });
      }
      if (isProse) return whole;
      if (escaped !== undefined) return whole.slice(1);
      return expandVariable(whole, braced ?? bare ?? '', path);
    });
  };

  const expandVariable = (whole: string, name: string, path: KeyPath): string => {
    const held = Object.hasOwn(input.env, name) ? input.env[name] : undefined;
    if (held !== undefined && held !== '') {
      if (!rules.isPlace(path)) secrets.add(held);
      return held;
    }
    const isIdle = rules.isIdle(path);
    report.add({
      level: isIdle ? 'info' : 'error',
      code: 'agent_file_env_missing',
      path,
      message: `${pathText(path)}: the environment variable ${name} is ${held === '' ? 'empty' : 'not set'}.`,
      hint: isIdle
        ? 'Nothing uses it now.'
        : `Set ${name} before the program starts, or write $${whole} where the text itself is meant.`,
    });
    return whole;
  };

  const expandFolder = (use: FolderUse): string => {
    const { text, path, whole, folder, isProse, hasDollar, offset } = use;
    const dir = folderNamed(folder, input);
    if (dir === undefined) {
      const [nearest = 'agent_dir'] = nearestFirst(folder, ['agent_dir', 'project_dir']);
      const isKnown = folder === 'project_dir';
      report.add({
        level: 'error',
        code: 'agent_file_variable_unknown',
        path,
        message: isKnown
          ? `${pathText(path)}: no folder is open that dexto.project_dir could stand for.`
          : `${pathText(path)}: there is no variable dexto.${folder}.`,
        hint: isKnown ? 'Use ${{dexto.agent_dir}}.' : `Did you mean \${{dexto.${nearest}}}?`,
      });
      return whole;
    }
    if (!hasDollar)
      report.add({
        level: 'warn',
        code: 'agent_file_variable_without_dollar',
        path,
        message: `${pathText(path)}: ${whole} is taken for $${whole}.`,
        hint: `Write $${whole}.`,
      });
    const scheme = text.slice(Math.max(0, offset - 'file://'.length), offset);
    const isUrl = scheme.toLowerCase() === 'file://';
    const isWholePath = offset === (isUrl ? 'file://'.length : 0);
    const after = text.slice(offset + whole.length);
    if (!isProse && leadsOut(isWholePath ? after : wordOf(after), isUrl))
      report.add({
        level: 'error',
        code: 'agent_file_path_escapes',
        path,
        message: `${pathText(path)} leads out of the folder with "..".`,
        hint: 'Name the file by its absolute path, or put it into the folder.',
      });
    return isUrl ? pathToFileURL(dir).href.slice('file://'.length) : dir;
  };

  return { value: walk(value, root), secrets: [...secrets] };
}

interface FolderUse {
  readonly text: string;
  readonly path: KeyPath;
  readonly whole: string;
  readonly folder: string;
  readonly isProse: boolean;
  readonly hasDollar: boolean;
  readonly offset: number;
}

/**
 * In this order: a folder, with or without its dollar sign; an escaped variable; `${NAME}`; `$NAME`, which is written in capitals, so that
 * `pa$word` stays what it is.
 */
const placeholder =
  /(\$?)\{\{\s{0,20}dexto\.(\w{1,40})\s{0,20}\}\}|(\$\$(?=\{[A-Za-z_]\w*\}|[A-Z_][A-Z0-9_]*(?!\w)))(?:\{\w+\}|\w+)|\$\{([A-Za-z_]\w*)\}|\$([A-Z_][A-Z0-9_]*)(?!\w)/gu;

function folderNamed(name: string, { agentDir, projectDir }: ExpandInput): string | undefined {
  if (name === 'agent_dir') return agentDir;
  return name === 'project_dir' ? projectDir : undefined;
}

/** Within a longer text a path ends with the word; what is longer than this is no path. */
function wordOf(text: string): string {
  return /^[^\s"'`<>|,;]{0,512}/u.exec(text)?.[0] ?? '';
}

/** True where the path behind the variable leaves its folder, be it only for a while. */
function leadsOut(path: string, isUrl: boolean): boolean {
  if (!/^[\\/]/u.test(path) && !(isUrl && /^%(?:2f|5c)/iu.test(path))) return false;
  let depth = 0;
  return segmentsOf(path, isUrl).some((segment) => {
    if (segment === '..') depth -= 1;
    else if (segment !== '' && segment !== '.') depth += 1;
    return depth < 0;
  });
}

function segmentsOf(path: string, isUrl: boolean): readonly string[] {
  const plain = isUrl ? path.replace(/%2e/giu, '.').replace(/%2f/giu, '/').replace(/%5c/giu, '\\') : path;
  return plain.split(/[\\/]/u);
}
