import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { agentSchemaPath, renderAgentSchema } from './writeAgentSchema.ts';

it('keeps schemas/agent.schema.json as the agent file and the built-in plugins say', async () => {
  // Stale? node scripts/run.mjs writeAgentSchema
  expect(await readFile(agentSchemaPath, 'utf8')).toBe(await renderAgentSchema());
});
