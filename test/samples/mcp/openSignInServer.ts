import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SignInServer extends AsyncDisposable {
  /** Of the MCP server. */
  readonly url: string;
  /** What was asked for, in order: `register`, `authorize scope`, `token grant`, then `method token` of each message. */
  readonly asked: readonly string[];
  /** From now on no token that there is counts. */
  expire(): void;
  /** From now on no token is renewed: that is refused in these words. */
  refuses(words: string): void;
  /** From now on a call wants this scope, too. */
  wants(scope: string): void;
  /** From now on it says that one signs in there. */
  names(provider: string): void;
}

export interface SignInServerOptions {
  /** Where it says that people sign in; default its own. */
  readonly authorizeUrl?: string;
  /** Who it says answered; default itself. */
  readonly iss?: string;
  /** Sends everybody back with this refusal. */
  readonly denial?: { readonly error: string; readonly error_description: string };
  /** Registers nobody: knows this client alone. */
  readonly client?: { readonly id: string; readonly secret: string };
}

/** An MCP server at an address of this machine that answers whoever has signed in, and where one signs in. */
export async function openSignInServer(options: SignInServerOptions = {}): Promise<SignInServer> {
  const asked: string[] = [];
  let token = 0;
  let oldest = 1;
  let scope = 'read';
  const granted = new Map<string, string>();
  const codes = new Map<string, string>();
  let base = '';
  let provider: string | undefined;
  let refusal: string | undefined;

  const json = (response: ServerResponse, status: number, body: object, headers: object = {}): void => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  };
  const refuse = (response: ServerResponse, status: number, error: string): void => {
    const metadata = `${base}/.well-known/oauth-protected-resource/mcp`;
    const challenge = `Bearer error="${error}", resource_metadata="${metadata}", scope="${scope}"`;
    json(response, status, { error }, { 'www-authenticate': challenge });
  };
  const issue = (response: ServerResponse, scopes: string): void => {
    token += 1;
    granted.set(`t${token}`, scopes);
    json(response, 200, {
      ...{ access_token: `t${token}`, token_type: 'Bearer', expires_in: 3600, scope: scopes },
      refresh_token: `r${token}`,
    });
  };
  const answerMessage = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const said = JSON.parse(await bodyOf(request)) as { readonly id?: number; readonly method: string };
    const given = request.headers.authorization?.replace('Bearer ', '') ?? 'none';
    asked.push(`${said.method} ${given}`);
    const scopes = granted.get(given);
    if (scopes === undefined || Number(given.slice(1)) < oldest) refuse(response, 401, 'invalid_token');
    else if (said.method === 'tools/call' && !scopes.split(' ').includes(scope))
      refuse(response, 403, 'insufficient_scope');
    else if (said.id === undefined) response.writeHead(202).end();
    else json(response, 200, { jsonrpc: '2.0', id: said.id, ...resultOf(said.method) });
  };
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', base);
    const answer = async (): Promise<void> => {
      switch (url.pathname) {
        case '/mcp':
          await answerMessage(request, response);
          return;
        case '/.well-known/oauth-protected-resource/mcp':
          json(response, 200, { resource: `${base}/mcp`, authorization_servers: [provider ?? base] });
          return;
        case '/.well-known/oauth-authorization-server':
          json(response, 200, {
            issuer: base,
            authorization_endpoint: options.authorizeUrl ?? `${base}/authorize`,
            token_endpoint: `${base}/token`,
            ...(options.client === undefined ? { registration_endpoint: `${base}/register` } : {}),
            ...{ response_types_supported: ['code'], code_challenge_methods_supported: ['S256'] },
            authorization_response_iss_parameter_supported: true,
          });
          return;
        case '/register': {
          asked.push('register');
          const said = JSON.parse(await bodyOf(request)) as object;
          json(response, 201, { ...said, client_id: 'pincer-1', token_endpoint_auth_method: 'none' });
          return;
        }
        case '/authorize': {
          const scopes = url.searchParams.get('scope') ?? '';
          asked.push(`authorize ${scopes}`);
          const back = new URL(url.searchParams.get('redirect_uri') ?? '');
          codes.set('c1', scopes);
          back.searchParams.set('code', 'c1');
          back.searchParams.set('state', url.searchParams.get('state') ?? '');
          back.searchParams.set('iss', options.iss ?? base);
          for (const [name, value] of Object.entries(options.denial ?? {}))
            back.searchParams.set(name, value);
          response.writeHead(302, { location: back.href }).end();
          return;
        }
        case '/token': {
          const form = new URLSearchParams(await bodyOf(request));
          const grant = form.get('grant_type') ?? '';
          asked.push(`token ${grant}`);
          const { id, secret } = options.client ?? {};
          const basic = `Basic ${Buffer.from(`${id ?? ''}:${secret ?? ''}`).toString('base64')}`;
          if (options.client !== undefined && request.headers.authorization !== basic)
            json(response, 401, { error: 'invalid_client' });
          else if (grant === 'refresh_token') {
            const old = `t${form.get('refresh_token')?.slice(1) ?? ''}`;
            if (refusal !== undefined)
              json(response, 400, { error: 'invalid_grant', error_description: refusal });
            else if (granted.has(old)) issue(response, granted.get(old) ?? '');
            else json(response, 400, { error: 'invalid_grant' });
          } else issue(response, codes.get(form.get('code') ?? '') ?? '');
          return;
        }
        default:
          response.writeHead(404).end();
      }
    };
    void answer();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  return {
    url: `${base}/mcp`,
    asked,
    expire() {
      oldest = token + 1;
    },
    refuses(words) {
      refusal = words;
    },
    wants(next) {
      scope = next;
    },
    names(next) {
      provider = next;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}

function resultOf(method: string): object {
  const results: Readonly<Record<string, object>> = {
    initialize: {
      protocolVersion: '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: 'x', version: '1' },
    },
    'tools/list': { tools: [{ name: 'echo', description: 'Echo.', inputSchema: { type: 'object' } }] },
    'tools/call': { content: [{ type: 'text', text: 'heard' }] },
  };
  const result = results[method];
  return result === undefined ? { error: { code: -32_601, message: 'No.' } } : { result };
}
