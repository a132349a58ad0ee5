import { PincerError } from '../../base/errors.ts';
import { exitCodes, type ExitCode } from '../exitCodes.ts';
import { answerTimeoutMs, findGateway, wrongToken } from '../gatewayClient.ts';
import { toJson, type Output } from '../output.ts';
import type { CliOptions } from '../withRuntime.ts';

/**
 * `pincer gateway pair <code>`: lets in the browser that shows this code, or turns it away.
 * @throws PincerError `gateway_token_missing`, `gateway_token_weak`, `gateway_not_running`, `pairing_unknown`
 */
export async function runGatewayPair(
  options: CliOptions & { readonly deny?: boolean },
  code: string,
  output: Output,
): Promise<ExitCode> {
  const { url, token } = await findGateway(options);
  const isAllowed = options.deny !== true;
  const answer = await fetch(`${url}/page/pair`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ code, allow: isAllowed }),
    signal: AbortSignal.timeout(answerTimeoutMs),
    redirect: 'error',
  });
  await answer.body?.cancel();
  if (answer.status === 401) throw wrongToken();
  if (!answer.ok)
    throw new PincerError('pairing_unknown', `No browser with the code ${code} waits.`, {
      hint: 'Open the page again: a code is good for two minutes.',
    });
  const said = isAllowed ? 'The browser is let in.\n' : 'The browser was turned away.\n';
  output.out(options.json === true ? toJson({ code, allowed: isAllowed }) : said);
  return exitCodes.ok;
}
