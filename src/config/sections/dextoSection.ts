import { z } from 'zod';
import { keysWhere, type ConfigSection } from './section.ts';

/** As everywhere a tenant is named: no blanks around it, and not endless. */
const id = z
  .string()
  .min(1)
  .max(200)
  .regex(/^\S(?:.*\S)?$/u);

export const dextoSchema = z.strictObject({
  enabled: z.boolean().optional().describe('False: no agent file is read. Default true.'),
  agentFile: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Agent file to use instead of .pincer/agent.yml: an absolute path, or one that starts with ~/.',
    ),
  tenant: z
    .strictObject({
      tenantId: id.optional().describe('Id of the tenant.'),
      userId: id.optional().describe('Id of the user.'),
    })
    .optional()
    .describe('Default tenant that plugins see. Sessions of other tenants are hidden.'),
});

export interface DextoConfig {
  readonly enabled: boolean;
  /** The workspace's config alone has switched it off. */
  readonly offByWorkspace?: true;
  readonly agentFile?: string;
  readonly tenant?: { readonly tenantId?: string; readonly userId?: string };
}

/** A workspace's file may switch its own agent file off, and nothing else. */
export const dextoSection: ConfigSection<z.infer<typeof dextoSchema>, DextoConfig> = {
  resolve: ({ enabled = true, agentFile, tenant } = {}) => ({
    enabled,
    ...(agentFile === undefined ? {} : { agentFile }),
    ...(tenant === undefined ? {} : { tenant: tenantOf(tenant) }),
  }),
  tighten: (holds, input) =>
    input.enabled === false && holds.agentFile === undefined
      ? { ...holds, enabled: false, ...(holds.enabled ? { offByWorkspace: true } : {}) }
      : holds,
  ignored: (input, holds) =>
    keysWhere({
      'dexto.enabled': input.enabled === false && holds.agentFile !== undefined,
      'dexto.agentFile': input.agentFile !== undefined,
      'dexto.tenant': input.tenant !== undefined,
    }),
};

function tenantOf({ tenantId, userId }: NonNullable<z.infer<typeof dextoSchema>['tenant']>) {
  return {
    ...(tenantId === undefined ? {} : { tenantId }),
    ...(userId === undefined ? {} : { userId }),
  };
}
