import { PincerError } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import { inertLine } from '../../base/text.ts';
import { shortBrowser, type PairedBrowser } from '../../gateway/pages.ts';
import { exitCodes, type ExitCode } from '../exitCodes.ts';
import { answerTimeoutMs, findGateway, gatewayNotRunning, wrongToken } from '../gatewayClient.ts';
import { timeText, toJson, toTable, type Output } from '../output.ts';
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
  const allow = options.deny !== true;
  const answer = await askPages(options, '/page/pair', { code, allow });
  await answer.body?.cancel();
  if (!answer.ok)
    throw new PincerError('pairing_unknown', `No browser with the code ${code} waits.`, {
      hint: 'Open the page again: a code is good for two minutes.',
    });
  const said = allow ? 'The browser is let in.\n' : 'The browser was turned away.\n';
  output.out(options.json === true ? toJson({ code, allowed: allow }) : said);
  return exitCodes.ok;
}

/**
 * `pincer gateway browsers`: lists the browsers that have access to the page.
 * @throws PincerError `gateway_token_missing`, `gateway_token_weak`, `gateway_not_running`
 */
export async function runGatewayBrowsers(options: CliOptions, output: Output): Promise<ExitCode> {
  const answer = await askPages(options, '/page/browsers');
  const browsers = browsersIn(await answer.json().catch(() => undefined));
  const rows = browsers.map(({ id, name, pairedAt, isConnected }) => [
    String(id),
    timeText(pairedAt),
    isConnected ? 'yes' : 'no',
    inertLine(shortBrowser(name), 80),
  ]);
  const table = toTable([['ID', 'SINCE', 'CONNECTED', 'BROWSER'], ...rows]);
  const text = browsers.length === 0 ? 'No browser has access.\n' : table;
  output.out(options.json === true ? toJson({ browsers }) : text);
  return exitCodes.ok;
}

/**
 * `pincer gateway revoke <id>`: takes away the access of a browser, and closes its pages.
 * @throws PincerError `gateway_token_missing`, `gateway_token_weak`, `gateway_not_running`, `browser_unknown`
 */
export async function runGatewayRevoke(
  options: CliOptions,
  given: string,
  output: Output,
): Promise<ExitCode> {
  const id = Number(given);
  const answer = await askPages(options, '/page/revoke', { id });
  await answer.body?.cancel();
  if (!answer.ok)
    throw new PincerError('browser_unknown', `No browser with the id ${given} has access.`, {
      hint: 'See the ids with pincer gateway browsers.',
    });
  output.out(options.json === true ? toJson({ id, revoked: true }) : 'The browser no longer has access.\n');
  return exitCodes.ok;
}

/** With a body it is a POST. @throws PincerError `gateway_token_missing`, `gateway_token_weak`, `gateway_not_running`, `gateway_token_wrong` */
async function askPages(options: CliOptions, path: string, body?: object): Promise<Response> {
  const { url, token } = await findGateway(options);
  const answer = await fetch(`${url}${path}`, {
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    signal: AbortSignal.timeout(answerTimeoutMs),
    redirect: 'error',
  }).catch(() => {
    throw gatewayNotRunning();
  });
  if (answer.status === 401) throw wrongToken();
  return answer;
}

function browsersIn(answer: unknown): readonly PairedBrowser[] {
  const { browsers } = isRecord(answer) ? answer : {};
  return Array.isArray(browsers) ? (browsers as readonly PairedBrowser[]) : [];
}
