/* Movements of a camera, {position, look_at, up, fov}. Points are arrays of three. */

const add = (a, b, s) => a.map((v, n) => v + s * b[n]);
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const length = a => Math.sqrt(dot(a, a));
const unit = a => { const l = length(a); return l > 0 ? a.map(v => v / l) : null; };

/* Rotates v by an angle around the unit vector k (Rodrigues' formula). */
function rotate(v, k, angle) {
  const c = Math.cos(angle), s = Math.sin(angle), along = dot(k, v) * (1 - c), side = cross(k, v);
  return v.map((x, n) => x * c + side[n] * s + k[n] * along);
}

/* Unit vectors of the picture: right, up, and towards the viewer; null for an invalid camera. */
export function axes(camera) {
  const back = unit(add(camera.position, camera.look_at, -1)), up = unit(camera.up);
  const right = back && up && unit(cross(up, back));
  return right && {right, up: cross(back, right), back};
}

/* Turns the camera around its look_at point: yaw around the up vector, pitch towards it. The pitch stops
 * one degree before the pole. Angles in radians. */
export function orbit(camera, yaw, pitch) {
  const frame = axes(camera), pole = unit(camera.up);
  if (!frame) return camera;
  const offset = add(camera.position, camera.look_at, -1), least = Math.PI / 180;
  const angle = Math.acos(Math.max(-1, Math.min(1, dot(frame.back, pole))));
  const to = Math.max(least, Math.min(Math.PI - least, angle - pitch));
  const turned = rotate(rotate(offset, frame.right, to - angle), pole, yaw);
  return {...camera, position: add(camera.look_at, turned, 1)};
}

/* Moves the camera to `factor` times its distance; a parallel one, which has a height, sees so much more. */
export function dolly(camera, factor) {
  if (camera.height) return {...camera, height: camera.height * factor};
  const offset = add(camera.position, camera.look_at, -1);
  return {...camera, position: add(camera.look_at, offset, factor)};
}

/* Moves the scene to the right and down, by (x, y) times the picture's height. */
export function pan(camera, x, y) {
  const frame = axes(camera);
  if (!frame) return camera;
  const offset = add(camera.position, camera.look_at, -1);
  const high = camera.height || 2 * length(offset) * Math.tan((camera.fov || 30) * Math.PI / 360);
  const move = add(frame.right.map(v => -v * x * high), frame.up, y * high);
  return {...camera, position: add(camera.position, move, 1), look_at: add(camera.look_at, move, 1)};
}

/* Looks at the same point from the direction `towards`, with `up`. */
export function lookFrom(camera, towards, up) {
  const far = length(add(camera.position, camera.look_at, -1));
  return {...camera, position: add(camera.look_at, towards, far), up};
}

/* Moves eye and centre so that `point` becomes the centre. */
export function centre(camera, point) {
  const move = add(point, camera.look_at, -1);
  return {...camera, position: add(camera.position, move, 1), look_at: point};
}

/* Shows a box, [lower corner, upper corner], from the same direction. aspect: width over height. */
export function fit(camera, box, aspect) {
  const frame = axes(camera), middle = box[0].map((v, n) => (v + box[1][n]) / 2);
  const radius = length(add(box[1], box[0], -1)) / 2 || 1, narrow = Math.min(1, aspect);
  if (!frame) return camera;
  const far = camera.height ? length(add(camera.position, camera.look_at, -1)) || radius
    : radius / Math.sin((camera.fov || 30) * Math.PI / 360) / narrow;
  const least = Math.max(far, camera.height ? 1.5 * radius : 0);
  return {...camera, look_at: middle, position: add(middle, frame.back, least),
    ...(camera.height ? {height: 2.1 * radius / narrow} : {})};
}

/* The other projection with the same size of things at the centre. */
export function project(camera) {
  const far = length(add(camera.position, camera.look_at, -1));
  const {height, ...rest} = camera;
  return height ? rest : {...camera, height: 2 * far * Math.tan((camera.fov || 30) * Math.PI / 360)};
}

/* The tips of the axes x, y, z in the picture, the farthest first: [name, x, y]. */
export function tips(camera) {
  const frame = axes(camera);
  if (!frame) return [];
  return ["x", "y", "z"].map((name, n) => [name, frame.right[n], -frame.up[n], frame.back[n]])
    .sort((a, b) => a[3] - b[3]);
}
