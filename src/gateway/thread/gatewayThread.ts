// The gateway's thread: sockets, limits and libraries, so that none of it holds up the extension host. A bundle of its own (docs/architecture.md).
import { workerChannel } from '../../host/node/workerChannel.ts';
import type { FromThread, ServerSettings, ToThread } from '../gatewayProtocol.ts';
import { createGatewayServer, type GatewayServer } from './createGatewayServer.ts';

const channel = workerChannel();
const post = (message: FromThread): void => channel.post(message);
let server: Promise<GatewayServer> | undefined;

channel.onMessage((message) => void receive(message as ToThread));

async function receive(message: ToThread): Promise<void> {
  switch (message.kind) {
    case 'listen':
      server = listen(message.settings);
      await server.catch(() => undefined);
      return;
    case 'open paths':
      (await server)?.setOpenPaths(message.paths);
      return;
    case 'mcp token':
      (await server)?.setMcpToken(message.digest);
      return;
    case 'tunnel':
      (await server)?.receive(message.frame);
      return;
    case 'client':
      (await server)?.toClients(message.step);
      return;
    case 'close':
      await (await server)?.close();
      // Nothing of a library may keep the thread.
      process.exit(0);
  }
}

async function listen(settings: ServerSettings): Promise<GatewayServer> {
  try {
    const made = await createGatewayServer(settings, post);
    post({ kind: 'listening', port: made.port });
    return made;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    post({ kind: 'failed', code, message: error instanceof Error ? error.message : String(error) });
    throw error;
  }
}
