import type { PluginFile } from './readPluginFiles.ts';

const codeFile = /\.[cm]?[jt]sx?$/u;
/** Declarations name every hook there is. */
const declarations = /\.d\.[cm]?ts$/u;
const packages = /(?:^|\/)node_modules\//u;

/** Of each kind of code; more is not looked at. */
const maxBytes = 5_000_000;

export interface ReadCode {
  readonly text: string;
  readonly isWhole: boolean;
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
    if (kind !== 'file' || !codeFile.test(path) || declarations.test(path) || !isMeant(path)) continue;
    if (room > 0) texts.push(decoder.decode(file.content.subarray(0, room)));
    room -= file.content.byteLength;
  }
  return { text: texts.join('\n'), isWhole: room >= 0 };
}
