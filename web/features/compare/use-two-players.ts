import { type RefObject, useEffect, useRef, useState } from 'react';

export type PlayerSide = 'old' | 'new';

export const playerSides: readonly PlayerSide[] = ['old', 'new'];

export interface TwoPlayers {
  refs: Record<PlayerSide, RefObject<HTMLMediaElement | null>>;
  /** Of the shared time, in seconds. */
  at: number;
  lengths: Record<PlayerSide, number>;
  longest: number;
  isPlaying: boolean;
  heard: PlayerSide;
  setHeard: (side: PlayerSide) => void;
  seek: (seconds: number) => void;
  play: (isOn: boolean) => void;
  onLength: (side: PlayerSide, seconds: number) => void;
  onEnded: (side: PlayerSide) => void;
}

const mostDrift = 0.08;

/** Two sounds or films under one time: played, paused and moved together, kept in step, one of them heard. */
export function useTwoPlayers(): TwoPlayers {
  const refs = { old: useRef<HTMLMediaElement>(null), new: useRef<HTMLMediaElement>(null) };
  const [heard, setHeard] = useState<PlayerSide>('new');
  const [isPlaying, setPlaying] = useState(false);
  const [at, setAt] = useState(0);
  const [lengths, setLengths] = useState<Record<PlayerSide, number>>({ old: 0, new: 0 });
  const longest = Math.max(lengths.old, lengths.new);
  const seek = (seconds: number) => {
    const place = Math.max(0, Math.min(longest, seconds));
    setAt(place);
    for (const side of playerSides) {
      const player = refs[side].current;
      if (player && lengths[side] > 0) player.currentTime = Math.min(place, lengths[side]);
    }
  };
  const play = (isOn: boolean) => {
    const start = isOn && at >= longest ? 0 : at;
    if (start !== at) seek(start);
    setPlaying(isOn);
    for (const side of playerSides) {
      const player = refs[side].current;
      if (!player) continue;
      if (!isOn) player.pause();
      else if (start < lengths[side]) void player.play().catch(() => setPlaying(false));
    }
  };
  useEffect(() => {
    if (!isPlaying) return;
    let frame = 0;
    const follow = () => {
      const lead = refs[heard].current;
      const other = refs[heard === 'old' ? 'new' : 'old'].current;
      if (lead && other && !lead.ended && !other.ended && !other.seeking) {
        if (Math.abs(lead.currentTime - other.currentTime) > mostDrift) other.currentTime = lead.currentTime;
      }
      setAt(Math.max(lead?.currentTime ?? 0, other?.currentTime ?? 0));
      frame = requestAnimationFrame(follow);
    };
    frame = requestAnimationFrame(follow);
    return () => cancelAnimationFrame(frame);
  });
  return {
    refs,
    at,
    lengths,
    longest,
    isPlaying,
    heard,
    setHeard,
    seek,
    play,
    onLength: (side, seconds) =>
      setLengths((known) => ({ ...known, [side]: Number.isFinite(seconds) ? seconds : 0 })),
    onEnded: (side) => {
      if (lengths[side] >= longest) setPlaying(false);
    },
  };
}
