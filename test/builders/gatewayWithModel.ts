import { openGateway, type TestGateway } from './openGateway.ts';
import type { TestRuntimeOptions } from './openTestRuntime.ts';
import { startScriptedModelServer, type ScriptedModelServer } from './scriptedModelServer.ts';

/** A gateway whose agent asks a model over a real connection. */
export async function gatewayWithModel(
  options: TestRuntimeOptions = {},
): Promise<TestGateway & { readonly server: ScriptedModelServer }> {
  const server = await startScriptedModelServer();
  const models = [{ id: 'scripted', name: 'Scripted' }];
  const loopback = { api: 'openai-compatible', baseUrl: server.baseUrl, models };
  const gateway = await openGateway({
    ...options,
    config: {
      model: 'loopback/scripted',
      models: { providers: { loopback } },
      ...(options.config as object | undefined),
    },
  });
  return {
    ...gateway,
    server,
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]();
      await server.dispose();
    },
  };
}
