import { Writable } from 'node:stream';
import { exitCodes, type ExitCode } from '../exitCodes.ts';
import type { Output } from '../output.ts';
import { withInterrupt } from '../withInterrupt.ts';
import { withRuntime, type CliOptions } from '../withRuntime.ts';

/** `pincer mcp serve`: what Pincer knows, for any client, over standard input and output, until the client goes. */
export async function runMcpServe(options: CliOptions, output: Output): Promise<ExitCode> {
  // What a plugin prints would be read as a message of the protocol.
  return await withRuntime({ ...options, json: true }, output, async (runtime) => {
    const { serveTools } = await import('../../mcp/server/index.ts');
    const serving = serveTools({
      tools: runtime.mcp.served,
      input: process.stdin,
      output: new Writable({
        decodeStrings: false,
        write(chunk: string | Buffer, _encoding, done) {
          output.out(String(chunk));
          done();
        },
      }),
      version: '1',
      log: (text) => output.err(`${text}\n`),
    });
    await withInterrupt(async (interrupted) => {
      const stop = new Promise<void>((resolve) => {
        interrupted.addEventListener('abort', () => resolve(), { once: true });
      });
      await Promise.race([serving.ended, stop]);
    });
    await serving.close();
    return exitCodes.ok;
  });
}
