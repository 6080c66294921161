/* Where points of space lie in a picture, whose places are parts of its width and height, and back. */
import { axes } from "./view.js";

const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const minus = (a, b) => a.map((v, n) => v - b[n]);
export const along = (a, b, s) => a.map((v, n) => v + s * b[n]);
export const distance = (a, b) => Math.hypot(...minus(a, b));

/* Half the height of what the camera sees at a depth. */
const half = (camera, depth) => camera.height ? camera.height / 2 : depth * Math.tan(camera.fov * Math.PI / 360);

/* [x, y] of a point; null behind the eye. aspect: width over height. */
export function project(camera, aspect, point) {
  const frame = axes(camera), off = frame && minus(point, camera.position), depth = frame && -dot(off, frame.back);
  if (!frame || (!camera.height && !(depth > 0))) return null;
  const high = half(camera, depth);
  return [0.5 + dot(off, frame.right) / (2 * high * aspect), 0.5 - dot(off, frame.up) / (2 * high)];
}

/* The point at a place, as deep in the picture as another point. */
export function unproject(camera, aspect, place, other) {
  const frame = axes(camera), depth = frame && -dot(minus(other, camera.position), frame.back);
  if (!frame) return null;
  const high = half(camera, depth), on = along(camera.position, frame.back, -depth);
  return along(along(on, frame.right, (place[0] - 0.5) * 2 * high * aspect), frame.up, (0.5 - place[1]) * 2 * high);
}
