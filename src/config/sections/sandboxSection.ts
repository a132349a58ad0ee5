// Threat: a cloned repository mounts the user's home into the container or chooses what image runs. A workspace's file can
// switch the sandbox on and take the workspace away from it, nothing else.
import { z } from 'zod';
import { isLooser, keysWhere, stricterOf, type ConfigSection } from './section.ts';

const accesses = ['none', 'ro', 'rw'] as const;

export const sandboxSchema = z.strictObject({
  enabled: z
    .boolean()
    .optional()
    .describe('True runs commands in a Docker container if tools.exec.host is auto. Default false.'),
  image: z
    .string()
    .min(1)
    .optional()
    .describe('A local image; images are never pulled. Default debian:bookworm-slim.'),
  binds: z
    .array(z.string().min(1))
    .optional()
    .describe('Additional bind mounts: /absolute/source:/target:ro.'),
  bindRoots: z
    .array(z.string().min(1))
    .optional()
    .describe(
      'Absolute folders, in addition to the workspace, that bind mounts may come from. Default none.',
    ),
  memory: z
    .string()
    .regex(/^[1-9][0-9]*[kmg]$/iu)
    .optional()
    .describe('Memory limit of the container. Default 1g.'),
  cpus: z.number().positive().max(256).optional().describe('CPU limit of the container. Default 1.'),
  pidsLimit: z
    .int()
    .positive()
    .max(32_768)
    .optional()
    .describe('Maximum number of processes in the container. Default 256.'),
  network: z.literal('none').optional().describe('The container has no network; there is no other choice.'),
  workspaceAccess: z
    .enum(accesses)
    .optional()
    .describe('Access of the container to the workspace: ro, rw or none. Default ro.'),
});

type SandboxInput = z.infer<typeof sandboxSchema>;

export interface SandboxConfig {
  readonly enabled: boolean;
  readonly image: string;
  /** `source:target[:mode]`, unchecked. */
  readonly binds: readonly string[];
  /** Absolute folders that `binds` may come from beside the workspace. */
  readonly bindRoots: readonly string[];
  /** As `docker create --memory` takes it. */
  readonly memory: string;
  readonly cpus: number;
  readonly pidsLimit: number;
  readonly network: 'none';
  readonly workspaceAccess: (typeof accesses)[number];
}

export const sandboxSection: ConfigSection<SandboxInput, SandboxConfig> = {
  resolve: (input) => ({
    enabled: input?.enabled ?? false,
    image: input?.image ?? 'debian:bookworm-slim',
    binds: input?.binds ?? [],
    bindRoots: input?.bindRoots ?? [],
    memory: input?.memory ?? '1g',
    cpus: input?.cpus ?? 1,
    pidsLimit: input?.pidsLimit ?? 256,
    network: 'none',
    workspaceAccess: input?.workspaceAccess ?? 'ro',
  }),
  tighten: (holds, input) => ({
    ...holds,
    enabled: holds.enabled || input.enabled === true,
    workspaceAccess: stricterOf(accesses, holds.workspaceAccess, input.workspaceAccess),
  }),
  ignored: (input, holds) =>
    keysWhere({
      'sandbox.enabled': input.enabled === false && holds.enabled && ': false',
      'sandbox.image': input.image !== undefined,
      'sandbox.binds': (input.binds !== undefined || input.bindRoots !== undefined) && ' and bindRoots',
      'sandbox.memory':
        [input.memory, input.cpus, input.pidsLimit].some((each) => each !== undefined) &&
        ', cpus and pidsLimit',
      'sandbox.workspaceAccess': isLooser(accesses, holds.workspaceAccess, input.workspaceAccess),
    }),
};
