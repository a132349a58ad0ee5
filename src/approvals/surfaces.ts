import type { Surface } from '../contracts/approval.ts';
import type { ShownPlace } from './approvalBroker.ts';

interface SurfaceTraits {
  /** Another question, or something else, may have stood in this one's place when the hand moved. */
  readonly isClick: boolean;
  /** Where it shows all of a call; undefined where it shows no more than title and description. */
  readonly shows?: ShownPlace;
  /** A key, which has no question beside it: a short one, too, must have stood somewhere. */
  readonly isApart?: true;
  /** How many letters a row of it shows beside its icons and buttons where nothing wraps; undefined where a question wraps. */
  readonly room?: number;
}

/** All that the rules ask of a surface; one that is missing here does not compile. */
export const surfaces: Readonly<Record<Surface, SurfaceTraits>> = {
  notification: { isClick: true },
  chat: { isClick: false },
  'chat button': { isClick: true, shows: 'answer' },
  'chat key': { isClick: true, shows: 'answer', isApart: true },
  'chat view': { isClick: true, shows: 'page' },
  'chat view key': { isClick: true, shows: 'page', isApart: true },
  view: { isClick: true, room: 24 },
  palette: { isClick: true, room: 60 },
  call: { isClick: true },
  review: { isClick: true },
  terminal: { isClick: false, shows: 'terminal' },
  gateway: { isClick: false, shows: 'remote', isApart: true },
};

/** Callers without types may pass anything. Pure. */
export function isSurface(by: unknown): by is Surface {
  return typeof by === 'string' && Object.hasOwn(surfaces, by);
}
