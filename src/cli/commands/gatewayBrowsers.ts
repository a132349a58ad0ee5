import { PincerError } from '../../base/errors.ts';
import { isRecord, parseJson } from '../../base/json.ts';
import { inertLine } from '../../base/text.ts';
import { shortBrowser, type PairedBrowser } from '../../gateway/pages.ts';
import { exitCodes, type ExitCode } from '../exitCodes.ts';
import { answerTimeoutMs, findGateway, gatewayNotRunning, wrongToken } from '../gatewayClient.ts';
import { timeText, toJson, toTable, type Output } from '../output.ts';
import type { CliOptions } from '../withRuntime.ts';

/**
 * `pincer gateway pair <code>`: lets in the browser that shows this code, or turns it away.
 * @throws PincerError `gateway_token_missing`, `gateway_token_weak`, `gateway_not_running`, `gateway_refused`, `pairing_unknown`
 */
export async function runGatewayPair(
  options: CliOptions & { readonly deny?: boolean },
  code: string,
  output: Output,
): Promise<ExitCode> {
  const allow = options.deny !== true;
  const unknown = new PincerError('pairing_unknown', `No browser with the code ${code} waits.`, {
    hint: 'Open the page again: a code is good for two minutes.',
  });
  await askPages(options, '/page/pair', { body: { code, allow }, unknown });
  const said = allow ? 'The browser now has access.\n' : 'The browser was denied access.\n';
  output.out(options.json === true ? toJson({ code, allowed: allow }) : said);
  return exitCodes.ok;
}

/**
 * `pincer gateway browsers`: lists the browsers that have access to the page.
 * @throws PincerError `gateway_token_missing`, `gateway_token_weak`, `gateway_not_running`, `gateway_refused`
 */
export async function runGatewayBrowsers(options: CliOptions, output: Output): Promise<ExitCode> {
  const browsers = browsersIn(await askPages(options, '/page/browsers'));
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
 * @throws PincerError `gateway_token_missing`, `gateway_token_weak`, `gateway_not_running`, `gateway_refused`, `browser_unknown`
 */
export async function runGatewayRevoke(
  options: CliOptions,
  given: string,
  output: Output,
): Promise<ExitCode> {
  const id = Number(given);
  const unknown = new PincerError('browser_unknown', `No browser with the id ${given} has access.`, {
    hint: 'See the ids with pincer gateway browsers.',
  });
  await askPages(options, '/page/revoke', { body: { id }, unknown });
  output.out(options.json === true ? toJson({ id, revoked: true }) : 'The browser no longer has access.\n');
  return exitCodes.ok;
}

/**
 * Asks the gateway about its page: by POST with a body, else by GET. `unknown` is the error for a code or an id that it does not know.
 * @throws PincerError `gateway_token_missing`, `gateway_token_weak`, `gateway_not_running`, `gateway_token_wrong`, `gateway_refused`
 */
async function askPages(
  options: CliOptions,
  path: string,
  { body, unknown }: { readonly body?: object; readonly unknown?: PincerError } = {},
): Promise<unknown> {
  const { url, token } = await findGateway(options);
  const answer = await fetch(`${url}${path}`, {
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    signal: AbortSignal.timeout(answerTimeoutMs),
    redirect: 'error',
  }).catch(() => {
    throw gatewayNotRunning();
  });
  const said = parseJson(await answer.text());
  if (answer.ok) return said;
  if (answer.status === 401) throw wrongToken();
  if (answer.status === 404 && unknown !== undefined) throw unknown;
  const { message } = isRecord(said) && isRecord(said['error']) ? said['error'] : {};
  throw new PincerError(
    'gateway_refused',
    typeof message === 'string' ? message : `The gateway answered ${String(answer.status)}.`,
  );
}

function browsersIn(answer: unknown): readonly PairedBrowser[] {
  const { browsers } = isRecord(answer) ? answer : {};
  if (!Array.isArray(browsers)) throw new PincerError('gateway_refused', 'The gateway lists no browsers.');
  return browsers as readonly PairedBrowser[];
}
