import type { LayerVerdict } from './decideToolPolicy.ts';

/** A layer's verdict as people read it: `denies it by "group:runtime"`. */
export function describeVerdict(verdict: LayerVerdict): string {
  switch (verdict.kind) {
    case 'denies':
      return `denies it by "${verdict.entry}"`;
    case 'allows':
      return `allows it by "${verdict.entry}"`;
    case 'omits':
      return 'does not list it';
    case 'open':
      return 'says nothing about it';
  }
}
