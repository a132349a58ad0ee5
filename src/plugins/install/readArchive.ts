// Threat: an archive from a stranger writes outside of its folder (`../`, absolute paths, links), hides one file behind
// another of the same name, or claims sizes that are not there. Every entry is checked here; one bad entry refuses the whole.
import { gunzipSync } from 'node:zlib';
import type { FileSystem } from '../../host/ports.ts';
import type { PluginFile } from '../consent/readPluginFiles.ts';
import { archiveError } from './installErrors.ts';

const maxArchiveBytes = 50_000_000;
const maxArchiveFiles = 5_000;

/**
 * The files of a plugin packed by `npm pack`, without the folder `package/` that holds them all. Writes nothing. At most 50 MB unpacked and
 * 5 000 files.
 * @throws PincerError `plugin_archive_refused`, `io_*`
 */
export async function readArchive(fs: FileSystem, path: string): Promise<readonly PluginFile[]> {
  const files = readTar(unzip(await fs.readFile(path, maxArchiveBytes)));
  if (files.length === 0) throw archiveError('it is empty');
  const [first = ''] = (files[0]?.path ?? '').split('/');
  const isWrapped = files.every((file) => file.path.startsWith(`${first}/`));
  return files.map(({ path: name, content }) => ({
    kind: 'file',
    path: isWrapped ? name.slice(first.length + 1) : name,
    content,
  }));
}

function unzip(bytes: Uint8Array): Uint8Array {
  try {
    return gunzipSync(bytes, { maxOutputLength: maxArchiveBytes });
  } catch (error) {
    const isBomb = error instanceof RangeError;
    throw isBomb
      ? archiveError(
          `it unpacks to more than ${String(maxArchiveBytes / 1_000_000)} MB`,
          'Bundle the plugin.',
        )
      : archiveError('it is no .tgz file, or it is damaged');
  }
}

/** One file of an archive; `path` is relative, has forward slashes and no `..`. */
interface ArchivedFile {
  readonly path: string;
  readonly content: Uint8Array;
}

const block = 512;
const decoder = new TextDecoder();
const linkHint = 'Plugins may hold plain files and folders only.';
const bundleHint = 'Bundle the plugin into fewer files.';
/** By the type flags of tar. */
const specialKinds: Readonly<Record<string, string>> = {
  '1': 'hard link',
  '2': 'symbolic link',
  K: 'symbolic link',
};

/** Reads an unpacked tar archive: ustar with name prefixes, pax and GNU long names. @throws PincerError `plugin_archive_refused` */
function readTar(bytes: Uint8Array): readonly ArchivedFile[] {
  const files: ArchivedFile[] = [];
  let longName: string | undefined;
  for (let offset = 0; offset + block <= bytes.length;) {
    const header = bytes.subarray(offset, offset + block);
    if (header.every((byte) => byte === 0)) break;
    const { name, type, size } = readHeader(header);
    const content = bytes.subarray(offset + block, offset + block + size);
    if (content.length < size) throw archiveError(`it ends in the middle of ${name}`);
    offset += block + Math.ceil(size / block) * block;
    if (type === 'x') longName = paxPath(content) ?? longName;
    else if (type === 'L') longName = textOf(content);
    else if (type === '0' || type === '\0' || type === '7') {
      files.push({ path: safePath(longName ?? name), content });
      longName = undefined;
    } else if (type === '5') longName = undefined;
    else if (type !== 'g')
      throw archiveError(`${longName ?? name} is a ${specialKinds[type] ?? 'special file'}`, linkHint);
    if (files.length > maxArchiveFiles)
      throw archiveError(`it holds more than ${String(maxArchiveFiles)} files`, bundleHint);
  }
  refuseRepeats(files);
  return files;
}

interface Header {
  readonly name: string;
  readonly type: string;
  readonly size: number;
}

function readHeader(header: Uint8Array): Header {
  const field = (start: number, length: number): Uint8Array => header.subarray(start, start + length);
  const sum = header.reduce((all, byte, index) => all + (index >= 148 && index < 156 ? 32 : byte), 0);
  if (readOctal(field(148, 8)) !== sum) throw archiveError('it is no tar archive, or it is damaged');
  const prefix = textOf(field(257, 5)) === 'ustar' ? textOf(field(345, 155)) : '';
  const base = textOf(field(0, 100));
  return {
    name: prefix === '' ? base : `${prefix}/${base}`,
    type: String.fromCharCode(header[156] ?? 0),
    size: readOctal(field(124, 12)),
  };
}

/** Sizes above 8 GB have another form; no plugin is that large. */
function readOctal(field: Uint8Array): number {
  const text = textOf(field).trim();
  if (!/^[0-7]+$/u.test(text)) throw archiveError('it is no tar archive, or it is damaged');
  return Number.parseInt(text, 8);
}

function textOf(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  return decoder.decode(end === -1 ? bytes : bytes.subarray(0, end));
}

/** Records are `length key=value\n`; the length counts bytes and includes itself. */
function paxPath(content: Uint8Array): string | undefined {
  let path: string | undefined;
  for (let start = 0; start < content.length;) {
    const space = content.indexOf(32, start);
    const length = Number(decoder.decode(content.subarray(start, space)));
    const isWhole = Number.isInteger(length) && length > space - start && start + length <= content.length;
    if (space === -1 || !isWhole) {
      throw archiveError('it is no tar archive, or it is damaged');
    }
    const [key, ...value] = decoder.decode(content.subarray(space + 1, start + length - 1)).split('=');
    if (key === 'path') path = value.join('=');
    // A size given here would count instead of the header's; no plugin's file is that large.
    if (key === 'size') throw archiveError('an entry is too large', bundleHint);
    start += length;
  }
  return path;
}

/** The path of an entry where every platform takes it for a plain relative one. @throws PincerError `plugin_archive_refused` */
function safePath(name: string): string {
  const path = name.replace(/^(?:\.\/)+/u, '');
  const parts = path.split('/');
  const isOdd = parts.some((part) => part === '' || part === '.' || part === '..' || isUnportable(part));
  if (isOdd) throw archiveError(`it names a file ${JSON.stringify(name)}`, linkHint);
  return path;
}

/** Backslashes and colons lead elsewhere on Windows, which also drops dots and spaces at the end. */
function isUnportable(part: string): boolean {
  const deviceName = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?$/iu;
  return /[\\:\u0000-\u001F\u007F]/u.test(part) || /[. ]$/u.test(part) || deviceName.test(part);
}

/** Some disks do not tell `A` from `a`. */
function refuseRepeats(files: readonly ArchivedFile[]): void {
  const seen = new Set<string>();
  for (const { path } of files) {
    const key = path.normalize('NFC').toLowerCase();
    if (seen.has(key)) throw archiveError(`it holds ${path} twice`);
    seen.add(key);
  }
}
