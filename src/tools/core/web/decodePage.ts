import { attributeOf, scanHtml } from './scanHtml.ts';

/** Bytes as text: a byte order mark counts first, then the header's charset, then the page's own, else UTF-8. */
export function decodePage(bytes: Uint8Array, contentType: string): string {
  const charset =
    markOf(bytes) ?? /charset\s*=\s*["']?([\w.:-]+)/iu.exec(contentType)?.[1] ?? metaCharset(bytes);
  return decode(bytes, charset ?? 'utf-8');
}

function markOf([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return undefined;
}

/** Browsers, too, look only at the beginning. */
function metaCharset(bytes: Uint8Array): string | undefined {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 1_024));
  for (const token of scanHtml(start)) {
    if (token.kind !== 'open' || token.name !== 'meta') continue;
    const content = attributeOf(token.attributes, 'content') ?? '';
    const charset =
      attributeOf(token.attributes, 'charset') ?? /charset\s*=\s*([\w.:-]+)/iu.exec(content)?.[1];
    // A page that says so in single bytes is no UTF-16.
    if (charset !== undefined) return /^utf-16/iu.test(charset) ? 'utf-8' : charset;
  }
  return undefined;
}

/** An unknown charset is read as UTF-8. */
function decode(bytes: Uint8Array, charset: string): string {
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch (error) {
    if (error instanceof RangeError) return new TextDecoder().decode(bytes);
    throw error;
  }
}
