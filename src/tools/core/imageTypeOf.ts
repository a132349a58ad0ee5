/** The MIME type that the first bytes of an image tell, or undefined where they are none of the four that models take. Pure. */
export function imageTypeOf(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
  if (start.startsWith('\x89PNG\r\n\x1A\n')) return 'image/png';
  if (start.startsWith('\xFF\xD8\xFF')) return 'image/jpeg';
  if (/^GIF8[79]a/u.test(start)) return 'image/gif';
  if (/^RIFF.{4}WEBP/su.test(start)) return 'image/webp';
  return undefined;
}
