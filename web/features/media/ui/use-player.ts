import { type RefObject, useEffect, useState } from 'react';
import { type Command, useCommands } from '../../../state/commands.ts';
import { type Loop, loopedTime, noLoop, setLoop } from '../model/time.ts';

export interface Player {
  time: number;
  duration: number;
  isPlaying: boolean;
  rate: number;
  loop: Loop;
  toggle: () => void;
  pause: () => void;
  seek: (seconds: number) => void;
  setRate: (rate: number) => void;
  setLoopEnd: (end: 'from' | 'to', at?: number) => void;
  setLoop: (loop: Loop) => void;
}

const rates = [0.1, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4];

/** The next faster or slower rate. */
export const nextRate = (rate: number, by: 1 | -1): number => {
  const at = rates.findIndex((one) => one >= rate);
  return rates[Math.max(0, Math.min(rates.length - 1, (at === -1 ? rates.length - 1 : at) + by))] ?? rate;
};

/** State and moves of a video or sound that is played: loop, speed, exact time. */
export function usePlayer(media: RefObject<HTMLMediaElement | null>): Player {
  const [time, setTime] = useState(0);
  const [duration, setDuration] = useState(Number.NaN);
  const [isPlaying, setPlaying] = useState(false);
  const [rate, setRate] = useState(1);
  const [loop, setLoopState] = useState<Loop>(noLoop);

  useEffect(() => {
    const element = media.current;
    if (!element) return;
    let frame = 0;
    const tick = () => {
      const back = element.paused ? null : loopedTime(loop, element.currentTime, element.duration);
      if (back !== null) element.currentTime = back;
      setTime(element.currentTime);
      if (!element.paused) frame = requestAnimationFrame(tick);
    };
    const onPlay = () => {
      setPlaying(true);
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(tick);
    };
    const onPause = () => setPlaying(false);
    const onTime = () => setTime(element.currentTime);
    const onFacts = () => setDuration(element.duration);
    const onEnd = () => {
      const back = loopedTime(loop, element.duration, element.duration);
      if (back === null) return;
      element.currentTime = back;
      void element.play().catch(() => undefined);
    };
    const events: [string, () => void][] = [
      ['play', onPlay],
      ['pause', onPause],
      ['timeupdate', onTime],
      ['seeked', onTime],
      ['durationchange', onFacts],
      ['loadedmetadata', onFacts],
      ['ended', onEnd],
    ];
    for (const [name, listener] of events) element.addEventListener(name, listener);
    if (element.readyState > 0) onFacts();
    if (!element.paused) onPlay();
    return () => {
      cancelAnimationFrame(frame);
      for (const [name, listener] of events) element.removeEventListener(name, listener);
    };
  }, [media, loop]);

  return {
    time,
    duration,
    isPlaying,
    rate,
    loop,
    toggle: () => {
      const element = media.current;
      if (!element) return;
      if (element.paused) void element.play().catch(() => undefined);
      else element.pause();
    },
    pause: () => media.current?.pause(),
    seek: (seconds) => {
      const element = media.current;
      if (!element || !Number.isFinite(seconds)) return;
      element.currentTime = Math.max(
        0,
        Math.min(Number.isFinite(element.duration) ? element.duration : seconds, seconds),
      );
      setTime(element.currentTime);
    },
    setRate: (next) => {
      if (media.current) media.current.playbackRate = next;
      setRate(next);
    },
    setLoopEnd: (end, at = media.current?.currentTime ?? 0) =>
      setLoopState((before) => setLoop(before, end, at)),
    setLoop: setLoopState,
  };
}

const noKeys: readonly string[] = [];

/** The keys of a player; `stepFrame` where single frames can be stepped, `taken` those that mean something else meanwhile. */
export function usePlayerKeys(
  player: Player,
  stepFrame: ((by: number) => void) | null,
  taken: readonly string[] = noKeys,
): void {
  const group = 'Player';
  const step = (by: number) => () => player.seek(player.time + by);
  const commands: Command[] = [
    {
      id: 'player.toggle',
      title: 'Play or pause',
      group,
      keys: ['Space'],
      isHidden: true,
      run: player.toggle,
    },
    {
      id: 'player.forward',
      title: 'A second on',
      group,
      keys: ['Shift+ArrowRight'],
      isHidden: true,
      run: step(1),
    },
    {
      id: 'player.back',
      title: 'A second back',
      group,
      keys: ['Shift+ArrowLeft'],
      isHidden: true,
      run: step(-1),
    },
    {
      id: 'player.faster',
      title: 'Faster',
      group,
      keys: ['>'],
      isHidden: true,
      run: () => player.setRate(nextRate(player.rate, 1)),
    },
    {
      id: 'player.slower',
      title: 'Slower',
      group,
      keys: ['<'],
      isHidden: true,
      run: () => player.setRate(nextRate(player.rate, -1)),
    },
    {
      id: 'player.loopFrom',
      title: 'Loop from here',
      group,
      keys: ['['],
      isHidden: true,
      run: () => player.setLoopEnd('from'),
    },
    {
      id: 'player.loopTo',
      title: 'Loop to here',
      group,
      keys: [']'],
      isHidden: true,
      run: () => player.setLoopEnd('to'),
    },
    {
      id: 'player.noLoop',
      title: 'No loop',
      group,
      keys: ['\\'],
      isHidden: true,
      run: () => player.setLoop(noLoop),
    },
    ...(stepFrame === null
      ? []
      : [
          {
            id: 'player.nextFrame',
            title: 'Next frame',
            group,
            keys: ['.'],
            isHidden: true,
            run: () => stepFrame(1),
          },
          {
            id: 'player.previousFrame',
            title: 'Previous frame',
            group,
            keys: [','],
            isHidden: true,
            run: () => stepFrame(-1),
          },
        ]),
  ];
  useCommands(commands.filter(({ keys = noKeys }) => !keys.some((one) => taken.includes(one))));
}
