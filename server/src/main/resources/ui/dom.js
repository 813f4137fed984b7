/** Builds and updates the page. What comes from data only ever becomes text or an attribute's value, never markup. */

const SVG = 'http://www.w3.org/2000/svg';

/**
 * @param {string} tag
 * @param {Record<string, unknown>} [props] `class`, `on...` listeners, `style` as an object, else attributes;
 *     false, null and undefined leave an attribute out, true sets it empty
 * @param {...(Node|string|number|null|undefined|false|Array)} children
 * @returns {HTMLElement}
 */
export function h(tag, props = {}, ...children) {
  return fill(document.createElement(tag), props, children);
}

/** The same for SVG. @returns {SVGElement} */
export function svg(tag, props = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), props, children);
}

function fill(node, props, children) {
  for (const [name, value] of Object.entries(props)) {
    setProp(node, name, value);
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

function setProp(node, name, value) {
  if (name.startsWith('on')) {
    node.addEventListener(name.slice(2), value);
  } else if (name === 'style') {
    Object.entries(value).forEach(([property, setting]) => node.style.setProperty(property, setting));
  } else {
    setAttr(node, name, value);
  }
}

/** Sets an attribute only if it changes. */
export function setAttr(node, name, value) {
  if (value === null || value === undefined || value === false) {
    if (node.hasAttribute(name)) {
      node.removeAttribute(name);
    }
  } else {
    const text = value === true ? '' : String(value);
    if (node.getAttribute(name) !== text) {
      node.setAttribute(name, text);
    }
  }
}

/** Sets the text only if it changes, so that nothing flickers and nothing is read out twice. */
export function setText(node, text) {
  if (node.textContent !== text) {
    node.textContent = text;
  }
}

/**
 * Brings the children of a container in line with a list, keeping the nodes of keys that stay.
 *
 * @template T
 * @param {Element} container
 * @param {T[]} items
 * @param {(item: T) => string} keyOf
 * @param {(item: T) => Element} create
 * @param {(node: Element, item: T) => void} [update]
 */
export function reconcile(container, items, keyOf, create, update) {
  const old = new Map([...container.children].map((node) => [node.dataset.key, node]));
  const taken = new Set();
  let place = container.firstElementChild;
  for (const item of items) {
    const key = free(keyOf(item), taken);
    let node = old.get(key);
    if (node) {
      old.delete(key);
    } else {
      node = create(item);
      node.dataset.key = key;
    }
    update?.(node, item);
    if (node === place) {
      place = place.nextElementSibling;
    } else {
      container.insertBefore(node, place);
    }
  }
  old.forEach((node) => node.remove());
}

/** The key, or one made of it if it stands there twice. */
function free(key, taken) {
  let unique = key;
  for (let i = 2; taken.has(unique); i++) {
    unique = `${key} (${i})`;
  }
  taken.add(unique);
  return unique;
}

/** The value of a custom property of the theme, such as `--ink`. */
export function themeValue(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** Hands text to the clipboard, also where the clipboard API isn't allowed (plain HTTP on another host). */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = h('textarea', {class: 'visually-hidden'});
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand('copy');
    area.remove();
  }
}

/** Offers text as a file. */
export function download(name, type, text) {
  const url = URL.createObjectURL(new Blob([text], {type}));
  const link = h('a', {href: url, download: name});
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

/** A button that says for a moment that it did what it was asked. */
export function actionButton(label, done, action, spoken = null) {
  const button = h('button', {type: 'button', class: 'small', 'aria-label': spoken}, label);
  button.addEventListener('click', async () => {
    await action();
    button.textContent = done;
    setTimeout(() => (button.textContent = label), 1200);
  });
  return button;
}
