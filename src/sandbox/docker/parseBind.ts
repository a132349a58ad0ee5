// Threat: a bind is text, and Docker reads text generously: a comma starts another mount option, a missing slash makes a
// volume, a colon moves the rest into the mode, an invisible character makes two names look like one. What is not plainly
// `source:target` or `source:target:ro|rw` is refused.
import { posix, win32 } from 'node:path';
import { hasHiddenCharacters } from '../../base/text.ts';
import type { Bind } from './bindTypes.ts';

/** Characters that mean something to Docker, to a shell or to a file system beside being part of a name. */
const strange = /[,"'`$;|&<>*?\u0000-\u001F\u007F]/u;
/** Windows takes these for devices in every folder, whatever ending they have. */
const device = /^(?:con|prn|aux|nul|(?:com|lpt)[0-9¹²³]|con(?:in|out)\$|clock\$) *(?:\.|$)/iu;
const driveSource = /^(?<source>[a-zA-Z]:[\\/][^:]*):(?<rest>.*)$/su;

/** The parts of a bind as Docker writes it, or why it is none. A missing mode is `rw`, as Docker reads it. Pure. */
export function parseBind(text: string, platform: NodeJS.Platform): Bind | { readonly reason: string } {
  if (hasHiddenCharacters(text) || strange.test(text))
    return { reason: 'it holds characters that no plain path has' };
  const parts = splitBind(text, platform);
  if (parts === undefined) return { reason: 'it is not source:target or source:target:mode' };
  const [source = '', target = '', mode = 'rw'] = parts;
  const fault = findSourceFault(source, platform) ?? findTargetFault(target);
  if (fault !== undefined) return { reason: fault };
  if (mode !== 'ro' && mode !== 'rw') return { reason: `the mode "${mode}" is neither ro nor rw` };
  return {
    source,
    target: posix
      .normalize(target)
      .replace(/^\/{2,}/u, '/')
      .replace(/(?<=.)\/$/u, ''),
    mode,
  };
}

function splitBind(text: string, platform: NodeJS.Platform): readonly string[] | undefined {
  const drive = platform === 'win32' ? driveSource.exec(text)?.groups : undefined;
  const parts =
    drive === undefined ? text.split(':') : [drive['source'] ?? '', ...(drive['rest'] ?? '').split(':')];
  return parts.length === 2 || parts.length === 3 ? parts : undefined;
}

function findSourceFault(source: string, platform: NodeJS.Platform): string | undefined {
  const isWindows = platform === 'win32';
  if (isWindows ? !/^[a-zA-Z]:[\\/]/u.test(source) : !source.startsWith('/'))
    return `the source "${source}" is not an absolute path of this machine`;
  if (!isWindows && source.includes('\\')) return 'the source holds a backslash';
  const names = source.split(isWindows ? /[\\/]/u : '/');
  if (names.some((name) => name !== name.trim())) return 'a name in the source begins or ends with a space';
  if (
    isWindows &&
    names.some((name) => /~\d/u.test(name) || (/[. ]$/u.test(name) && !/^\.{1,2}$/u.test(name)))
  )
    return 'a name in the source is a short or trimmed form of another';
  if (isWindows && names.some((name) => device.test(name))) return 'a name in the source is a device';
  return undefined;
}

function findTargetFault(target: string): string | undefined {
  if (!target.startsWith('/')) return `the target "${target}" is not an absolute path`;
  if (target.includes('\\') || target.split('/').includes('..'))
    return 'the target leads up or holds a backslash';
  return target.split('/').some((name) => name !== name.trim())
    ? 'a name in the target begins or ends with a space'
    : undefined;
}

/** The path rules of a platform, whatever the one this runs on. */
export function pathsOf(platform: NodeJS.Platform): typeof posix {
  return platform === 'win32' ? win32 : posix;
}
