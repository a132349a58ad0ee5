import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { agentJsonSchema } from '../src/dexto/agentFile/agentJsonSchema.ts';
import { builtIns } from '../src/dexto/builtins/builtIns.ts';
import { projectRoot } from './projectRoot.ts';

/** Written by this script only. */
export const agentSchemaPath = join(projectRoot, 'schemas/agent.schema.json');

/** `schemas/agent.schema.json`, from the zod schemas of the agent file and of the built-in plugins. */
export async function renderAgentSchema(): Promise<string> {
  const style = await resolveConfig(agentSchemaPath);
  return await format(JSON.stringify(agentJsonSchema(builtIns)), { ...style, parser: 'json' });
}

/** `writeAgentSchema [--check]`: writes the file; with `--check` gives 1 where it is not what it would write. */
export async function main(args: readonly string[]): Promise<number> {
  const text = await renderAgentSchema();
  if (!args.includes('--check')) {
    await mkdir(dirname(agentSchemaPath), { recursive: true });
    await writeFile(agentSchemaPath, text);
    return 0;
  }
  if ((await readFile(agentSchemaPath, 'utf8')) === text) return 0;
  console.error('schemas/agent.schema.json is stale. Write it again: node scripts/run.mjs writeAgentSchema');
  return 1;
}
