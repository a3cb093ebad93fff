/* The sound of a turn that begins: two soft notes, made here and not fetched. */

const NOTES = [[659, 0], [880, 0.1]]; // hertz, and seconds from the start
const LENGTH = 0.16;
const LOUD = 0.06;

/** Plays it, where the browser lets a page make a sound: only after somebody has done something on it. */
export async function chime() {
  if (navigator.userActivation && !navigator.userActivation.hasBeenActive) return;
  const player = new AudioContext();
  for (const [pitch, start] of NOTES) {
    const [from, to] = [player.currentTime + start, player.currentTime + start + LENGTH];
    const tone = new OscillatorNode(player, { frequency: pitch });
    const volume = new GainNode(player, { gain: 0 });
    volume.gain.setValueAtTime(0, from);
    volume.gain.linearRampToValueAtTime(LOUD, from + 0.02);
    volume.gain.exponentialRampToValueAtTime(0.0001, to);
    tone.connect(volume).connect(player.destination);
    tone.start(from);
    tone.stop(to);
    tone.onended = () => { if (start) player.close(); };
  }
}
