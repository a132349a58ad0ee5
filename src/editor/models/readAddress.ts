/** The address of a server as it is typed: `localhost:8080/v1` means http. Undefined where it is none. Pure. */
export function readAddress(typed: string): string | undefined {
  const text = typed.trim();
  const address = /^[a-z][a-z\d+.-]*:\/\//iu.test(text) ? text : `http://${text}`;
  const url = text === '' ? null : URL.parse(address);
  return url !== null && /^https?:$/u.test(url.protocol) ? address : undefined;
}
