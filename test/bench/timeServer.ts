/**
 * Milliseconds from sending a chat request to the bytes with its first text, by nothing but `fetch`: what is to be taken from a time in
 * which the same was sent.
 */
export async function timeServer(baseUrl: string, body: unknown, firstText: string): Promise<number> {
  let firstAt: number | undefined;
  let text = '';
  const sent = JSON.stringify(body);
  const start = performance.now();
  const response = await fetch(`${baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: sent,
  });
  const decoder = new TextDecoder();
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    if (text.includes(firstText)) firstAt ??= performance.now();
  }
  if (firstAt === undefined) throw new Error(`The server's stream had no text: ${text}`);
  return firstAt - start;
}
