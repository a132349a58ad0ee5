import { describe, expect, it } from 'vitest';
import { failsClosed, hookCatalog, hookNames } from './hookCatalog.ts';

const upstreamHooks =
  `before_model_resolve agent_turn_prepare before_prompt_build before_agent_start before_agent_reply
  before_agent_run model_call_started model_call_ended llm_input llm_output before_agent_finalize agent_end
  before_compaction after_compaction before_reset inbound_claim before_dispatch reply_dispatch message_received
  message_sending message_sent before_tool_call after_tool_call tool_result_persist before_message_write session_start
  session_end subagent_spawning subagent_delivery_target subagent_spawned subagent_progress subagent_ended gateway_start gateway_stop
  heartbeat_prompt_contribution cron_changed cron_reconciled before_install
  reply_payload_sending resolve_exec_env channel_pairing_requested`.split(/\s+/u);

describe('hookCatalog', () => {
  it('holds every hook of upstream and no other', () => {
    expect([...hookNames].sort()).toEqual([...upstreamHooks].sort());
  });

  it('fails closed where upstream does', () => {
    expect(hookNames.filter(failsClosed)).toEqual(['before_agent_run', 'before_tool_call']);
  });

  it('gives observers 30 s, deciders 15 s, gateway_stop 5 s and sync hooks none', () => {
    for (const name of hookNames) {
      const { kind, timeoutMs } = hookCatalog[name];
      const usual = { observe: 30_000, modify: 15_000, claim: 15_000, gate: 15_000, sync: null }[kind];
      expect(timeoutMs, name).toBe(name === 'gateway_stop' ? 5_000 : usual);
    }
  });

  it('asks for conversation access where upstream does', () => {
    expect(hookNames.filter((name) => hookCatalog[name].access === 'conversation').sort()).toEqual([
      'agent_end',
      'before_agent_finalize',
      'before_agent_reply',
      'before_agent_run',
      'before_model_resolve',
      'llm_input',
      'llm_output',
    ]);
  });
});
