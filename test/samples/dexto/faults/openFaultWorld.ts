import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { openPointWorld } from '../points/openPointWorld.ts';
import type { PointSample, PointWorld } from '../points/pointSample.ts';

/** A plugin of the agent file: what its class holds, and more lines of its entry. */
export interface FaultyPlugin {
  readonly name: string;
  readonly priority: number;
  /** Members of its class; in place of them, `code` is the whole module. */
  readonly body?: string;
  readonly code?: string;
  readonly blocking?: boolean;
  readonly entry?: string;
}

export type FaultWorld = PointWorld & AsyncDisposable;

/** The whole runtime with these plugins in its agent file, which `more` follows. */
export async function openFaultWorld(
  plugins: readonly FaultyPlugin[],
  options: Omit<PointSample, 'rule' | 'check' | 'prepare'> & { readonly more?: string } = {},
): Promise<FaultWorld> {
  const world = await openPointWorld({
    ...options,
    async prepare({ agentDir }) {
      await writeFile(join(agentDir, 'agent.yml'), agentFileOf(plugins, options.more));
      for (const { name, body = '', code } of plugins) {
        const file = join(agentDir, 'dexto', name, 'index.js');
        await mkdir(dirname(file), { recursive: true });
        await writeFile(file, code ?? `export default class {\n${body}\n}\n`);
      }
    },
  });
  return Object.assign(world, { [Symbol.asyncDispose]: () => world.close() });
}

/** The text of an agent file. */
export function agentFileOf(plugins: readonly FaultyPlugin[], more = ''): string {
  const custom = plugins.map(({ name, priority, blocking = true, entry = '' }) => {
    const module = `"\${{dexto.agent_dir}}/dexto/${name}/index.js"`;
    return `    - { name: ${name}, module: ${module}, priority: ${String(priority)}, blocking: ${String(blocking)}${entry} }\n`;
  });
  return `plugins:\n${more}  custom:\n${custom.join('')}`;
}
