/** `config.jsonc` of a user whose default model is the scripted server. */
export function homeWithModel(
  baseUrl: string,
  more: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, string>> {
  const providers = {
    loopback: { api: 'openai-compatible', baseUrl, models: [{ id: 'scripted', name: 'Scripted' }] },
  };
  return { 'config.jsonc': JSON.stringify({ model: 'loopback/scripted', models: { providers }, ...more }) };
}
