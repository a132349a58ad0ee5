import type { Clip, Played } from '../../../gateway/chatPage/chatViewMessages.ts';
import { browser, type AudioElement } from './browser.ts';

/** Plays one clip at a time. */
interface Player {
  /** To be called from a click: VS Code plays nothing that the user has not begun, and the audio comes later. */
  unlock(): void;
  play(clip: Clip): void;
  /** The user wants to hear what was blocked. */
  goOn(): void;
  silence(): void;
}

export function createPlayer(tell: (clip: number, state: Played) => void): Player {
  const sound: AudioElement = new browser.Audio();
  let current: { readonly id: number; readonly address: string } | undefined;
  const end = (state?: Played): void => {
    if (current === undefined) return;
    const { id, address } = current;
    current = undefined;
    sound.pause();
    sound.removeAttribute('src');
    browser.URL.revokeObjectURL(address);
    if (state !== undefined) tell(id, state);
  };
  const start = (): void => {
    const mine = current;
    if (mine === undefined) return;
    sound.play().then(
      () => {
        if (current === mine) tell(mine.id, 'playing');
      },
      (error: unknown) => {
        if (current !== mine) return;
        const isBlocked = error instanceof Error && error.name === 'NotAllowedError';
        if (isBlocked) tell(mine.id, 'blocked');
        else end('failed');
      },
    );
  };
  sound.addEventListener('ended', () => end('ended'));
  sound.addEventListener('error', () => end('failed'));
  return {
    unlock: () => sound.load(),
    play({ id, bytes, mimeType }) {
      end();
      const address = browser.URL.createObjectURL(new browser.Blob([bytes], { type: mimeType }));
      current = { id, address };
      sound.src = address;
      start();
    },
    goOn: start,
    silence: () => end(),
  };
}
