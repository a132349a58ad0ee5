import { expect, test } from 'vitest';
import { planCreateArgs, type ContainerPlan } from './createArgs.ts';

const plan: ContainerPlan = {
  name: 'pincer-1',
  labels: { 'pincer.sandbox': '1' },
  options: {
    image: 'debian:bookworm-slim',
    binds: [],
    bindRoots: [],
    memory: '1g',
    cpus: 2,
    pidsLimit: 100,
    workspaceAccess: 'ro',
  },
  binds: [{ source: '/w', target: '/workspace', mode: 'ro' }],
  user: '1000:1000',
};

test.each([
  '--network=none',
  '--cap-drop=ALL',
  '--security-opt=no-new-privileges',
  '--read-only',
  '--tmpfs=/tmp:rw,noexec,nosuid,nodev,size=256m,mode=1777',
  '--tmpfs=/var/tmp:rw,noexec,nosuid,nodev,size=64m,mode=1777',
  '--tmpfs=/run:rw,noexec,nosuid,nodev,size=16m,mode=0755',
  '--ipc=none',
  '--cgroupns=private',
  '--init',
  '--rm',
  '--pull=never',
  '--ulimit=core=0',
  '--memory=1g',
  '--memory-swap=1g',
  '--cpus=2',
  '--pids-limit=100',
  '--user=1000:1000',
  '--mount=type=bind,source=/w,target=/workspace,readonly',
])('a container is made with %s', (option) => {
  expect(planCreateArgs(plan)).toContain(option);
});

test('nothing opens the host: no privilege, device, shared namespace, added host or environment', () => {
  const text = planCreateArgs(plan).join('\n');
  expect(text).not.toMatch(
    /privileged(?!$)|--device|=host|container:|volumes-from|add-host|--env|seccomp=/mu,
  );
  expect(text.match(/privileges/gu)).toHaveLength(1);
});

test.each([
  { image: '--privileged' },
  { image: 'a b' },
  { image: '' },
  { memory: '1g --privileged' },
  { memory: '-1' },
  { cpus: Number.NaN },
  { pidsLimit: 0 },
])('an option that is none is refused: %j', (options) => {
  const made = (): unknown => planCreateArgs({ ...plan, options: { ...plan.options, ...options } });
  expect(made).toThrow(/The sandbox can't take/u);
});

test('an image can be pinned by its digest', () => {
  const image = `registry.example/a/b@sha256:${'a'.repeat(64)}`;
  expect(planCreateArgs({ ...plan, options: { ...plan.options, image } })).toContain(image);
});
