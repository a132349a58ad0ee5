import type { HookName } from '../src/hooks/hookMap.ts';

/** A handler for each of the hooks that most plugins use. */
export const hookExamples: Partial<Readonly<Record<HookName, string>>> = {
  before_tool_call: `api.on('before_tool_call', (event) => {
  if (event.toolName !== 'write') return;
  if (String(event.params.path).startsWith('generated/')) {
    return { block: true, blockReason: 'generated files are made by the build' };
  }
  return { requireApproval: { title: 'Write a file?', description: String(event.params.path) } };
});`,
  after_tool_call: `api.on('after_tool_call', (event) => {
  api.logger.info(\`\${event.toolName} took \${event.durationMs} ms\`);
});`,
  tool_result_persist: `api.on('tool_result_persist', (event) => {
  const content = event.message.content.map((part) =>
    part.type === 'text' ? { ...part, text: part.text.replaceAll('internal.example', '***') } : part,
  );
  return { message: { ...event.message, content } };
});`,
  before_message_write: `api.on('before_message_write', (event) => {
  if (JSON.stringify(event.message).includes('BEGIN PRIVATE KEY')) return { block: true };
});`,
  before_model_resolve: `api.on('before_model_resolve', (event) => {
  if (event.attachments?.some((part) => part.kind === 'image')) return { modelOverride: 'a-model-that-sees' };
});`,
  before_prompt_build: `api.on('before_prompt_build', async () => {
  return { appendSystemContext: 'Answer in British English.' };
});`,
  before_agent_run: `api.on('before_agent_run', (event) => {
  if (!/\\bpassword\\b/i.test(event.prompt)) return { outcome: 'pass' };
  return { outcome: 'block', reason: 'has a password', message: 'Please take the password out.' };
});`,
  before_agent_reply: `api.on('before_agent_reply', (event) => {
  if (event.cleanedBody.trim() === 'ping') return { handled: true, reply: 'pong' };
});`,
  before_agent_finalize: `api.on('before_agent_finalize', (event) => {
  if (event.lastAssistantMessage?.includes('TODO')) {
    return { action: 'revise', reason: 'It still says TODO.', retry: { instruction: 'Write it out.', maxAttempts: 1 } };
  }
});`,
  message_sending: `api.on('message_sending', (event) => ({ content: event.content.replaceAll('colour', 'color') }));`,
  agent_end: `api.on('agent_end', (event) => {
  api.logger.info(event.success ? 'done' : \`failed: \${event.error}\`);
});`,
  session_end: `api.on('session_end', (event) => api.logger.info(\`\${event.messageCount} messages, \${event.reason}\`));`,
  gateway_stop: `api.on('gateway_stop', async () => { await connection.close(); });`,
};
