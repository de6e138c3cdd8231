// What is heard and felt: a glance at the screen is not always possible.

import { isSilent } from './kiosk';

interface Note {
  frequency: number;
  from: number;
  seconds: number;
}

const LET_IN: Note[] = [
  { frequency: 880, from: 0, seconds: 0.09 },
  { frequency: 1318.5, from: 0.09, seconds: 0.2 },
];
const TURNED_AWAY: Note[] = [
  { frequency: 196, from: 0, seconds: 0.22 },
  { frequency: 147, from: 0.28, seconds: 0.4 },
];

let audio: AudioContext | undefined;

/**
 * Browsers give a page its voice only while the person touches it, and phones take it away again during a call.
 * An iPhone counts the end of a touch, other browsers its beginning, so each of them is heard.
 */
export function giveVoiceByTouch(): void {
  for (const touch of ['pointerdown', 'pointerup', 'keydown']) {
    document.addEventListener(touch, allowSound, { capture: true, passive: true });
  }
}

function allowSound(): void {
  try {
    audio ??= newAudio();
    if (audio !== undefined && audio.state !== 'running') audio.resume().catch(console.warn);
  } catch (error) {
    // A phone without a voice still has its screen.
    console.warn(error);
  }
}

/** Undefined in a browser that cannot make sounds. */
function newAudio(): AudioContext | undefined {
  const older = window as { webkitAudioContext?: typeof AudioContext };
  const Audio = window.AudioContext ?? older.webkitAudioContext;
  return Audio === undefined ? undefined : new Audio();
}

export function announce(admitted: boolean): void {
  try {
    play(admitted ? LET_IN : TURNED_AWAY, admitted ? 'sine' : 'sawtooth');
    // Only phones can vibrate, and not all of their browsers know how to.
    if ('vibrate' in navigator) navigator.vibrate(admitted ? 90 : [220, 90, 220]);
  } catch (error) {
    console.warn(error);
  }
}

function play(notes: Note[], type: OscillatorType): void {
  if (audio?.state !== 'running' || isSilent()) return;
  for (const { frequency, from, seconds } of notes) {
    const start = audio.currentTime + from;
    const oscillator = audio.createOscillator();
    const volume = audio.createGain();
    oscillator.type = type;
    oscillator.frequency.value = frequency;
    // A soft beginning and end, since a sudden one clicks.
    volume.gain.setValueAtTime(0, start);
    volume.gain.linearRampToValueAtTime(0.5, start + 0.015);
    volume.gain.setValueAtTime(0.5, start + seconds - 0.04);
    volume.gain.linearRampToValueAtTime(0, start + seconds);
    oscillator.connect(volume).connect(audio.destination);
    oscillator.start(start);
    oscillator.stop(start + seconds);
  }
}
