import { isRecord } from '../../base/json.ts';
import { policyTaken } from '../listed/findCollisions.ts';
import type { ToolPolicyRegistration } from '../register/registrations.ts';
import type { PluginApiParts } from './pluginApiParts.ts';
import { refuseRegistration } from './refuseRegistration.ts';

/**
 * `api.registerTrustedToolPolicy`. Threat: such a policy judges before every guard and replaces parameters, so a plugin
 * that came from anywhere else than the program itself can't have one. Messages are upstream's.
 */
export function registerToolPolicy(parts: PluginApiParts, policy: unknown): void {
  if (parts.candidate.origin !== 'bundled') {
    refuseRegistration(parts, 'only bundled plugins can register trusted tool policies');
    return;
  }
  const { id, description, evaluate } = isRecord(policy) ? policy : {};
  if (!isText(id) || !isText(description) || typeof evaluate !== 'function') {
    refuseRegistration(parts, 'trusted tool policy registration requires id, description, and evaluate()');
    return;
  }
  const { policies } = parts.registrations;
  if (policies.some((each) => each.id === id.trim())) {
    refuseRegistration(parts, policyTaken(id.trim(), parts.manifest.id));
    return;
  }
  const judge: ToolPolicyRegistration['evaluate'] = (event, context) =>
    Reflect.apply(evaluate, policy, [event, context]) as unknown;
  policies.push({ id: id.trim(), description: description.trim(), evaluate: judge });
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}
