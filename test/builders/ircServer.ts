import { createServer, type Socket, type AddressInfo } from 'node:net';

/** A server that speaks the client protocol of IRC (RFC 2812), as far as a bot needs it: registration, PING, PRIVMSG, QUIT. */
export interface IrcServer {
  readonly port: number;
  /** Private messages of clients, in order. */
  readonly said: { readonly target: string; readonly text: string }[];
  /** Resolves once a client has registered under that nick. */
  registered(nick: string): Promise<void>;
  /** Somebody with this nick writes to a client that has registered. */
  write(from: string, to: string, text: string): void;
  /** Resolves once a client has said something that fits. */
  heard(fits: (text: string, target: string) => boolean): Promise<void>;
  close(): Promise<void>;
}

export async function startIrcServer(): Promise<IrcServer> {
  const clients = new Map<string, Socket>();
  const sockets = new Set<Socket>();
  const said: { target: string; text: string }[] = [];
  const waiting = new Set<() => void>();
  const tell = (): void => {
    for (const look of [...waiting]) look();
  };
  const until = (check: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (!check()) return;
        waiting.delete(look);
        resolve();
      };
      waiting.add(look);
      look();
    });

  const answer = (socket: Socket, line: string): void => {
    const [command = '', ...params] = line.split(' ');
    const nick = [...clients].find(([, each]) => each === socket)?.[0];
    if (command === 'NICK') clients.set(params[0] ?? '', socket);
    if (command === 'USER' && nick !== undefined) socket.write(`:irc.test 001 ${nick} :Welcome\r\n`);
    if (command === 'PING') socket.write(`:irc.test PONG irc.test ${params[0] ?? ''}\r\n`);
    if (command === 'QUIT') socket.end();
    if (command === 'PRIVMSG')
      said.push({ target: params[0] ?? '', text: line.slice(line.indexOf(' :') + 2) });
    tell();
  };
  const server = createServer((socket) => {
    sockets.add(socket);
    let rest = '';
    socket.setEncoding('utf8');
    socket.on('data', (data: string) => {
      const lines = (rest + data).split(/\r?\n/u);
      rest = lines.pop() ?? '';
      for (const line of lines) answer(socket, line);
    });
    // A client that goes is no failure of the server.
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    said,
    registered: (nick) => until(() => clients.has(nick)),
    write: (from, to, text) =>
      void clients.get(to)?.write(`:${from}!${from}@host.test PRIVMSG ${to} :${text}\r\n`),
    heard: (fits) => until(() => said.some(({ text, target }) => fits(text, target))),
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
