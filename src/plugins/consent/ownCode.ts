import type { PluginFile } from './readPluginFiles.ts';

/** A file without any ending runs as JavaScript. */
const codeFile = /\.[cm]?[jt]sx?$|(?:^|[\\/])[^./\\]+$/iu;
/** Declarations name every hook there is. */
const declarations = /\.d\.[cm]?ts$/iu;
/** For whoever writes the plugin. `u`: where case does not count, a long s is an s to the disk, too. */
const tests = /\.test\.[cm]?[jt]sx?$/iu;
const packages = /(?:^|\/)node_modules\//u;

/** Of each kind of code; more is not looked at. */
const maxBytes = 5_000_000;

interface ReadCode {
  readonly text: string;
  readonly isWhole: boolean;
}

/**
 * Whether a file of this path is looked at as code. No other one is run as such: whoever agrees would not know of it. So tests are
 * not part of what is asked for, and never loaded. Pure.
 */
export function isCode(path: string): boolean {
  return codeFile.test(path) && !declarations.test(path) && !tests.test(path);
}

/** The text of a plugin's own code, without packages and declarations. `isWhole` is false where it is more than is looked at. Pure. */
export function ownCode(files: readonly PluginFile[]): ReadCode {
  return codeOf(files, (path) => !packages.test(path));
}

/** The same of the packages that come with it. Pure. */
export function packageCode(files: readonly PluginFile[]): ReadCode {
  return codeOf(files, (path) => packages.test(path));
}

function codeOf(files: readonly PluginFile[], isMeant: (path: string) => boolean): ReadCode {
  const decoder = new TextDecoder();
  const texts: string[] = [];
  let room = maxBytes;
  for (const file of files) {
    const { path, kind } = file;
    if (kind !== 'file' || !isCode(path) || !isMeant(path)) continue;
    if (room > 0) texts.push(decoder.decode(file.content.subarray(0, room)));
    room -= file.content.byteLength;
  }
  return { text: withLetters(texts.join('\n')), isWhole: room >= 0 };
}

/** What names are made of may be escaped: by its number in strings and in names (`\u0065val`), by a mere backslash in strings (`'node\:v\m'`). */
function withLetters(text: string): string {
  return text.replace(escaped, (written: string, ...groups: readonly (string | undefined)[]) => {
    const [hex, hex4, hex2, octal, itself] = groups;
    const code = octal ?? [hex, hex4, hex2].join('');
    const char = itself ?? String.fromCharCode(Number.parseInt(code, octal === undefined ? 16 : 8));
    return /[\w$:/]/u.test(char) ? char : written;
  });
}

const escaped =
  /\\(?:u\{0*([\da-fA-F]{2})\}|u00([\da-fA-F]{2})|x([\da-fA-F]{2})|([0-3][0-7]{2}|[0-7]{2})|([89ac-eg-mo-qswyzA-Z_$:/]))/gu;
