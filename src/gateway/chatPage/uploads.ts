import { randomUUID } from 'node:crypto';
import { basename } from 'node:path';

/** Files that a page has sent, until they go out with a message. */
export interface Uploads {
  /** Undefined where it is neither text nor an image. */
  add(name: string, bytes: Uint8Array): Upload | undefined;
  get(uri: string): Upload | undefined;
}

interface Upload {
  readonly uri: string;
  readonly label: string;
  readonly value: string | { readonly mimeType: string; data(): Promise<Uint8Array> };
}

const scheme = 'upload:';
/** Whether a page names a file that it has sent, be it still known or not. */
export function isUpload(uri: string): boolean {
  return uri.startsWith(scheme);
}

/** How many bytes of them are kept. */
const maxKept = 20_000_000;

/** `imageType`: what its bytes say it is. */
export function createUploads(imageType: (bytes: Uint8Array) => string | undefined): Uploads {
  const files = new Map<string, { readonly file: Upload; readonly size: number }>();
  return {
    add(name, bytes) {
      const mimeType = imageType(bytes);
      const text = mimeType === undefined ? textOf(bytes) : undefined;
      if (mimeType === undefined && text === undefined) return undefined;
      const file: Upload = {
        // A page keeps it longer than it is known here: it must not come to mean another file.
        uri: `${scheme}${randomUUID()}`,
        label: basename(name),
        value: text ?? { mimeType: mimeType ?? '', data: () => Promise.resolve(bytes) },
      };
      files.set(file.uri, { file, size: bytes.length });
      let kept = [...files.values()].reduce((sum, { size }) => sum + size, 0);
      for (const [uri, { size }] of files) {
        if (kept <= maxKept) break;
        files.delete(uri);
        kept -= size;
      }
      return file;
    },
    get: (uri) => files.get(uri)?.file,
  };
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    // It is no text: whoever asks says so.
    return undefined;
  }
}
