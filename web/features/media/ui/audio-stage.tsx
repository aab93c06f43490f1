import { useQuery } from '@tanstack/react-query';
import { type PointerEvent, useEffect, useRef, useState } from 'react';
import { formatBytes, formatCount } from '../../../ui/format-quantity.ts';
import { Segmented } from '../../../ui/index.ts';
import type { MediaAddress } from '../../grid/index.ts';
import { buildSpectrogram, peaksOf } from '../model/spectrum.ts';
import { formatClock, readMarks, setLoop } from '../model/time.ts';
import styles from './player.module.css';
import { PlayerTools } from './player-tools.tsx';
import { TimeBar } from './time-bar.tsx';
import { type Player, usePlayer, usePlayerKeys } from './use-player.ts';
import { useElementSize } from './use-stage.ts';

export interface AudioStageProps {
  address: MediaAddress;
  name: string;
  sizeBytes: number;
  cells: readonly { name: string; value: unknown }[];
  onError: () => void;
  onPlayer?: (player: Player) => void;
  hasKeys?: boolean;
}

/** A browser holds a decoded sound whole: four bytes a sample. */
const mostBytes = 40_000_000;

interface Sound {
  samples: Float32Array;
  rate: number;
  channels: number;
}

const useSound = (src: string, isEnabled: boolean) =>
  useQuery({
    queryKey: ['sound', src],
    queryFn: async ({ signal }): Promise<Sound> => {
      const bytes = await (await fetch(src, { signal })).arrayBuffer();
      const context = new OfflineAudioContext(1, 1, 44_100);
      const decoded = await context.decodeAudioData(bytes);
      const samples = new Float32Array(decoded.length);
      for (let channel = 0; channel < decoded.numberOfChannels; channel++)
        decoded.getChannelData(channel).forEach((sample, at) => {
          samples[at]! += sample / decoded.numberOfChannels;
        });
      return { samples, rate: decoded.sampleRate, channels: decoded.numberOfChannels };
    },
    enabled: isEnabled,
    gcTime: 60_000,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });

type Way = 'wave' | 'spectrum' | 'both';

/** A sound with its waveform and spectrogram; a part that is swept over is looped. */
export function AudioStage({
  address,
  name,
  sizeBytes,
  cells,
  onError,
  onPlayer,
  hasKeys = true,
}: AudioStageProps) {
  const audio = useRef<HTMLAudioElement>(null);
  const player = usePlayer(audio);
  const [way, setWay] = useState<Way>('both');
  const isSmall = sizeBytes <= mostBytes;
  const sound = useSound(address.blob, isSmall);
  const marks = Number.isFinite(player.duration) ? readMarks(cells, player.duration) : [];
  const tell = useRef(onPlayer);
  tell.current = onPlayer;
  useEffect(() => tell.current?.(player));
  return (
    <div className={styles.player}>
      {hasKeys && <Keys player={player} />}
      {/* biome-ignore lint/a11y/useMediaCaption: sounds of the person's own data have no captions */}
      <audio ref={audio} src={address.blob} preload="metadata" aria-label={name} onError={onError} />
      <div className={styles.sound}>
        {!isSmall && (
          <p className={styles.faint}>
            At {formatBytes(sizeBytes)} the sound is not decoded here: the waveform is the server’s, and there
            is no spectrogram.
          </p>
        )}
        {sound.data ? (
          <Sweep player={player}>
            {way !== 'spectrum' && <Waveform sound={sound.data} />}
            {way !== 'wave' && <Spectrum sound={sound.data} />}
          </Sweep>
        ) : (
          <Sweep player={player}>
            <img src={address.thumb(1536)} alt="Waveform" className={styles.waveImage} draggable={false} />
          </Sweep>
        )}
      </div>
      <TimeBar player={player} marks={marks} stepSeconds={0.1} />
      <PlayerTools player={player}>
        {sound.data && (
          <>
            <span className={styles.faint}>
              {formatCount(sound.data.rate)} Hz ·{' '}
              {sound.data.channels === 1 ? 'mono' : `${sound.data.channels} channels, mixed`}
            </span>
            <Segmented<Way>
              label="Show"
              value={way}
              onChange={setWay}
              options={[
                { value: 'wave', label: 'Waveform' },
                { value: 'spectrum', label: 'Spectrogram' },
                { value: 'both', label: 'Both' },
              ]}
            />
          </>
        )}
        {sound.error && (
          <span className={styles.faint}>This browser cannot decode it for a spectrogram.</span>
        )}
      </PlayerTools>
    </div>
  );
}

function Keys({ player }: { player: Player }) {
  usePlayerKeys(player, null);
  return null;
}

/** A click goes there; sweeping over a part loops it. */
function Sweep({ player, children }: { player: Player; children: React.ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  const from = useRef<number | null>(null);
  const { duration, time, loop } = player;
  const whole = Number.isFinite(duration) && duration > 0 ? duration : 1;
  const secondsAt = (event: PointerEvent): number => {
    const rect = box.current!.getBoundingClientRect();
    return Math.max(0, Math.min(1, (event.clientX - rect.left) / rect.width)) * whole;
  };
  const percent = (at: number) => `${(at / whole) * 100}%`;
  return (
    <div
      ref={box}
      className={styles.sweep}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        from.current = secondsAt(event);
      }}
      onPointerMove={(event) => {
        if (from.current === null) return;
        const at = secondsAt(event);
        if (Math.abs(at - from.current) > whole / 200)
          player.setLoop(setLoop({ from: from.current, to: null }, 'to', at));
      }}
      onPointerUp={(event) => {
        const at = secondsAt(event);
        if (from.current !== null) player.seek(Math.min(from.current, at));
        from.current = null;
      }}
    >
      {children}
      {(loop.from !== null || loop.to !== null) && (
        <span
          className={styles.swept}
          style={{ left: percent(loop.from ?? 0), right: `calc(100% - ${percent(loop.to ?? whole)})` }}
        >
          {formatClock(loop.from ?? 0)} – {formatClock(loop.to ?? whole)}
        </span>
      )}
      <span className={styles.needle} style={{ left: percent(time) }} />
    </div>
  );
}

function Waveform({ sound }: { sound: Sound }) {
  const frame = useRef<HTMLDivElement>(null);
  const { width } = useElementSize(frame);
  const columns = Math.max(1, Math.min(2000, width));
  const height = 120;
  const { low, high } = peaksOf(sound.samples, columns);
  const d = Array.from(
    { length: columns },
    (_none, at) => `M${at + 0.5} ${((1 - high[at]!) * height) / 2}V${((1 - low[at]!) * height) / 2 + 0.5}`,
  ).join('');
  return (
    <div ref={frame} className={styles.wave}>
      {width > 0 && (
        <svg role="img" aria-label="Waveform" viewBox={`0 0 ${columns} ${height}`} preserveAspectRatio="none">
          <path d={d} />
        </svg>
      )}
    </div>
  );
}

function Spectrum({ sound }: { sound: Sound }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const maxHz = sound.rate / 2;
  useEffect(() => {
    const element = canvas.current;
    if (!element) return;
    const idle = setTimeout(() => {
      const { columns, rows, values } = buildSpectrogram(
        sound.samples,
        sound.rate,
        Math.min(900, Math.max(1, element.clientWidth)),
      );
      element.width = columns;
      element.height = rows;
      const context = element.getContext('2d');
      if (!context) return;
      const image = context.createImageData(columns, rows);
      for (let column = 0; column < columns; column++)
        for (let row = 0; row < rows; row++)
          image.data.set([...heat(values[column * rows + row]!), 255], (row * columns + column) * 4);
      context.putImageData(image, 0, 0);
    }, 30);
    return () => clearTimeout(idle);
  }, [sound]);
  return (
    <div className={styles.spectrum}>
      <canvas ref={canvas} role="img" aria-label={`Spectrogram up to ${maxHz} Hz, 80 dB deep`} />
      <span className={styles.hertz}>{formatCount(maxHz / 1000)} kHz</span>
      <span className={styles.hertzLow}>0</span>
    </div>
  );
}

/** Dark blue over red to a light yellow: brighter is louder. */
function heat(value: number): [number, number, number] {
  const share = value / 255;
  return [
    Math.round(255 * Math.min(1, 1.6 * share ** 1.2)),
    Math.round(255 * Math.max(0, share ** 2.2)),
    Math.round(255 * (0.18 + 0.5 * Math.sin(Math.PI * Math.min(1, share * 1.1)) * (1 - share))),
  ];
}
