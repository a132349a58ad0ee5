import { gzipSync } from 'node:zlib';

/** One raw entry for an archive of a test; anything may be wrong about it. */
export interface RawEntry {
  readonly name: string;
  readonly text?: string;
  /** The type flag; default a plain file. */
  readonly type?: string;
  readonly prefix?: string;
  readonly linkTo?: string;
  /** What the header claims; default the real size. */
  readonly size?: number;
  readonly damaged?: boolean;
}

/** A `.tgz` made by hand, since no archiver makes hostile ones. */
export function buildArchive(entries: readonly RawEntry[]): Uint8Array {
  return gzipSync(Buffer.concat([...entries.map(buildEntry), Buffer.alloc(1024)]));
}

function buildEntry(entry: RawEntry): Buffer {
  const content = Buffer.from(entry.text ?? '');
  const header = Buffer.alloc(512);
  header.write(entry.name, 0, 100);
  header.write('0000644\0', 100);
  header.write(`${(entry.size ?? content.length).toString(8).padStart(11, '0')}\0`, 124);
  header.write('        ', 148);
  header.write(entry.type ?? '0', 156);
  header.write(entry.linkTo ?? '', 157, 100);
  header.write('ustar\u000000', 257);
  header.write(entry.prefix ?? '', 345, 155);
  const sum = header.reduce((all, byte) => all + byte, 0) + (entry.damaged === true ? 1 : 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  const padding = Buffer.alloc((512 - (content.length % 512)) % 512);
  return Buffer.concat([header, content, padding]);
}

/** A pax record that names the next entry. */
export function paxName(path: string): RawEntry {
  const body = ` path=${path}\n`;
  const bytes = Buffer.byteLength(body);
  const length = bytes + String(bytes + 3).length;
  return { name: 'PaxHeader', type: 'x', text: `${String(length)}${body}` };
}
