import { randomUUID } from 'node:crypto';
import type { WebhookAccount } from './account.ts';
import { headers, sign } from './signature.ts';

export interface OutboundCall {
  readonly to: string;
  readonly text: string;
  readonly replyToId?: string | null | undefined;
  readonly threadId?: string | number | null | undefined;
  readonly signal?: AbortSignal | undefined;
}

const timeoutMs = 15_000;

/** Sends an answer as a signed call. @throws Error with the status; never with the secret, nor with what the other side has said */
export async function callOut(
  { accountId, secret, url }: WebhookAccount,
  { to, text, replyToId, threadId, signal }: OutboundCall,
  now: () => number,
): Promise<{ readonly messageId: string }> {
  if (url === undefined) throw new Error('channels.webhook.url is missing.');
  const messageId = randomUUID();
  const body = Buffer.from(
    JSON.stringify({
      id: messageId,
      account: accountId,
      to: to.replace(/^webhook:/iu, ''),
      text,
      ...(replyToId === null || replyToId === undefined ? {} : { replyTo: replyToId }),
      ...(threadId === null || threadId === undefined ? {} : { thread: String(threadId) }),
    }),
  );
  const timestamp = String(Math.floor(now() / 1_000));
  const late = AbortSignal.timeout(timeoutMs);
  const response = await fetch(url, {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/json',
      [headers.timestamp]: timestamp,
      [headers.nonce]: messageId,
      [headers.signature]: sign(secret, timestamp, messageId, body),
    },
    // Another address has not been agreed to.
    redirect: 'error',
    signal: signal === undefined ? late : AbortSignal.any([signal, late]),
  });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`The webhook has answered ${String(response.status)}.`);
  return { messageId };
}
