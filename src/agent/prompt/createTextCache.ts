// Threat: a cloned repository has a link where a rules file or a skill is expected, to a key of the user or a device: its text
// would go to the model's provider. Only what really lies in the folder is read, and nothing large.
import { errorMessage, PincerError } from '../../base/errors.ts';
import { setBounded } from '../../base/setBounded.ts';
import type { FileSystem } from '../../host/ports.ts';
import { segmentsBelow } from '../../tools/paths/workspaceLayout.ts';

/** `refused` says why as the end of a sentence: `it is a link to a place outside of the folder`. */
type CachedText =
  | { readonly status: 'text'; readonly text: string; readonly realPath: string }
  | { readonly status: 'missing' }
  | { readonly status: 'refused'; readonly why: string };

/** Small text files that are read before every turn. */
export interface TextCache {
  /** A file that really lies in `folder`, both absolute; read again once its stamp is another. Never rejects. */
  read(folder: string, path: string): Promise<CachedText>;
}

interface TextCacheParts {
  readonly fs: FileSystem;
  readonly platform: NodeJS.Platform;
}

const maxBytes = 1_000_000;
const maxEntries = 1_000;

interface Entry {
  readonly realPath: string;
  readonly stamp: string;
  readonly text: string;
}

export function createTextCache({ fs, platform }: TextCacheParts): TextCache {
  const entries = new Map<string, Entry>();

  const remember = (path: string, entry: Entry): void => {
    setBounded(entries, path, entry, maxEntries);
  };

  const look = async (folder: string, path: string): Promise<CachedText> => {
    const stamp = await fs.stamp(path);
    const known = entries.get(path);
    // What was read then did lie in the folder, so that where the path leads now need not be asked.
    if (known?.stamp === stamp) return { status: 'text', text: known.text, realPath: known.realPath };
    const stat = stamp === '' ? undefined : await fs.stat(path);
    if (stat?.kind !== 'file') return { status: 'missing' };
    const [realPath, root] = await Promise.all([fs.realpath(path), fs.realpath(folder)]);
    if (segmentsBelow(platform, root, realPath) === undefined)
      return { status: 'refused', why: 'it is a link to a place outside of its folder' };
    if (stat.size > maxBytes)
      return { status: 'refused', why: `it has ${stat.size} bytes, and more than ${maxBytes} are not read` };
    const bytes = await fs.readExact({ root, path: realPath }, maxBytes);
    const text = new TextDecoder().decode(bytes);
    remember(path, { realPath, stamp, text });
    return { status: 'text', text, realPath };
  };

  return {
    async read(folder, path) {
      try {
        return await look(folder, path);
      } catch (error) {
        const isMissing = error instanceof PincerError && error.code === 'io_not_found';
        return isMissing ? { status: 'missing' } : { status: 'refused', why: errorMessage(error) };
      }
    },
  };
}

/** The same cache for one look at many files that lie near each other: what was asked once is not asked again. */
export function readOnce(texts: TextCache): TextCache {
  const asked = new Map<string, Promise<CachedText>>();
  return {
    read(folder, path) {
      const key = `${folder}\0${path}`;
      const answer = asked.get(key) ?? texts.read(folder, path);
      asked.set(key, answer);
      return answer;
    },
  };
}
