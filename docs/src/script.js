// What the pages of the documentation do in a browser: theme, search, tabs and copy buttons.
// Without it they can still be read: tabs are shown one below the other.
(() => {
  const root = document.documentElement;
  const remember = (name, value) => {
    try {
      localStorage.setItem(name, value);
    } catch {
      // A browser that stores nothing asks again on every page.
    }
  };
  const recall = (name) => {
    try {
      return localStorage.getItem(name);
    } catch {
      return null;
    }
  };
  const make = (tag, attributes = {}, text = '') => {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.textContent = text;
    return made;
  };

  const themes = { auto: 'Auto', light: 'Light', dark: 'Dark' };
  const themeNames = Object.keys(themes);
  const currentTheme = () => {
    const stored = recall('trivium-theme');
    return themeNames.includes(stored) ? stored : 'auto';
  };
  // Runs before the page is painted, so that it does not flash.
  root.dataset.theme = currentTheme();
  root.classList.add('scripted');

  const setUpTheme = () => {
    const button = document.querySelector('.theme');
    const show = () => {
      button.textContent = themes[currentTheme()];
      button.setAttribute('aria-label', `${button.textContent} theme`);
    };
    button.addEventListener('click', () => {
      const next = themeNames[(themeNames.indexOf(currentTheme()) + 1) % themeNames.length];
      remember('trivium-theme', next);
      root.dataset.theme = next;
      show();
    });
    button.hidden = false;
    show();
  };

  const setUpMenu = () => {
    const side = document.querySelector('.side');
    const button = make('button', { class: 'menu', type: 'button', 'aria-expanded': 'false' });
    button.textContent = 'Menu';
    button.addEventListener('click', () => {
      const open = side.classList.toggle('open');
      button.setAttribute('aria-expanded', String(open));
    });
    document.querySelector('.switches').append(button);
  };

  const setUpCopy = () => {
    for (const block of document.querySelectorAll('.code')) {
      const button = make('button', { class: 'copy', type: 'button' }, 'Copy');
      button.addEventListener('click', async () => {
        await navigator.clipboard.writeText(copyable(block.querySelector('code')));
        button.textContent = 'Copied';
        setTimeout(() => (button.textContent = 'Copy'), 2000);
      });
      block.append(button);
    }
  };

  // Examples contain the address from which this page was loaded.
  const fillAddress = () => {
    for (const code of document.querySelectorAll('.code code')) {
      const texts = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
      while (texts.nextNode()) {
        const { currentNode: node } = texts;
        if (!node.data.includes(exampleAddress)) continue;
        node.data = node.data.replaceAll(exampleAddress, location.origin);
      }
    }
  };
  const exampleAddress = 'http://127.0.0.1:8787';

  // From a console, only what a person types, without the prompt.
  const copyable = (code) => {
    const text = code.textContent.replace(/\n$/, '');
    if (!code.classList.contains('language-console')) return text;
    const typed = text.split('\n').filter((line) => line.startsWith('$ '));
    return typed.length === 0 ? text : typed.map((line) => line.slice(2)).join('\n');
  };

  const setUpTabs = () => {
    const all = [...document.querySelectorAll('.tabs')].map(makeTabs);
    const choose = (name) => all.forEach((tabs) => tabs.choose(name));
    for (const tabs of all) {
      tabs.onChoice = (name) => {
        remember('trivium-docs-tab', name);
        choose(name);
      };
    }
    const stored = recall('trivium-docs-tab');
    if (stored !== null) choose(stored);
  };

  const makeTabs = (group, number) => {
    const panels = [...group.querySelectorAll('.code')];
    const list = make('div', { role: 'tablist', 'aria-label': 'Language' });
    const tabs = {
      onChoice: () => {},
      choose: (name) => {
        if (!panels.some((panel) => panel.dataset.tab === name)) return;
        panels.forEach((panel, index) => {
          const chosen = panel.dataset.tab === name;
          panel.hidden = !chosen;
          buttons[index].setAttribute('aria-selected', String(chosen));
          buttons[index].tabIndex = chosen ? 0 : -1;
        });
      },
    };
    const buttons = panels.map((panel, index) => {
      panel.id = `tab-${number}-${index}`;
      panel.setAttribute('role', 'tabpanel');
      panel.setAttribute('aria-label', panel.dataset.tab);
      const attributes = { role: 'tab', type: 'button', 'aria-controls': panel.id };
      const button = make('button', attributes, panel.dataset.tab);
      button.addEventListener('click', () => tabs.onChoice(panel.dataset.tab));
      button.addEventListener('keydown', ({ key }) => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
        if (step === undefined) return;
        const next = buttons.at((index + step) % buttons.length);
        next.click();
        next.focus();
      });
      return button;
    });
    list.append(...buttons);
    group.prepend(list);
    tabs.choose(panels[0].dataset.tab);
    return tabs;
  };

  const maxFound = 12;
  const excerptLength = 110;
  let sections;
  const loadSections = () => {
    sections ??= fetch('/docs/search.json').then((response) => response.json());
    return sections;
  };

  // Every word must begin a word of the section. A rare word, a word in a heading, and words that
  // occur together weigh more.
  const rank = (entries, query) => {
    const words = query
      .toLowerCase()
      .split(/[^\p{L}\p{N}_]+/u)
      .filter(Boolean);
    if (words.length === 0) return [];
    const weights = words.map((word) => {
      const holders = entries.filter(({ heading, text }) => hits(`${heading} ${text}`, word) > 0);
      return Math.log(1 + entries.length / (1 + holders.length));
    });
    const phrase = words.join(' ');
    const score = (entry) => {
      const together = entry.text.toLowerCase().replaceAll(/[^\p{L}\p{N}_]+/gu, ' ');
      let sum = words.length > 1 ? 6 * Math.min(hits(together, phrase), 3) : 0;
      for (const [index, word] of words.entries()) {
        const inHeading = hits(entry.heading, word);
        const inPage = hits(entry.page, word);
        const inText = hits(entry.text, word);
        if (inHeading + inPage + inText === 0) return 0;
        sum += weights[index] * (6 * inHeading + 3 * inPage + Math.min(inText, 4));
      }
      return sum;
    };
    return entries
      .map((entry) => ({ entry, score: score(entry) }))
      .filter((one) => one.score > 0)
      .sort((one, other) => other.score - one.score)
      .slice(0, maxFound)
      .map(({ entry }) => ({ ...entry, excerpt: excerpt(entry.text, words[0]) }));
  };

  const hits = (text, word) => {
    const lower = text.toLowerCase();
    let count = 0;
    for (let at = lower.indexOf(word); at >= 0; at = lower.indexOf(word, at + word.length)) {
      if (at === 0 || !/[\p{L}\p{N}]/u.test(lower[at - 1])) count += 1;
    }
    return count;
  };

  const excerpt = (text, word) => {
    const at = Math.max(0, text.toLowerCase().indexOf(word) - 30);
    return (at > 0 ? '… ' : '') + text.slice(at, at + excerptLength).trim();
  };

  const setUpSearch = () => {
    const input = document.querySelector('#docs-search');
    const list = document.querySelector('#docs-found');
    let chosen = -1;
    const show = (found, query) => {
      chosen = -1;
      input.removeAttribute('aria-activedescendant');
      list.replaceChildren(...found.map(option));
      if (found.length === 0) {
        list.append(make('li', { role: 'option', class: 'none' }, `Nothing found for “${query}”.`));
      }
      open(query.trim() !== '');
    };
    const open = (isOpen) => {
      list.hidden = !isOpen;
      input.setAttribute('aria-expanded', String(isOpen));
    };
    const move = (step) => {
      const options = [...list.querySelectorAll('[data-href]')];
      if (options.length === 0) return;
      chosen = (chosen + step + options.length) % options.length;
      options.forEach((one, index) => one.setAttribute('aria-selected', String(index === chosen)));
      options[chosen].scrollIntoView({ block: 'nearest' });
      input.setAttribute('aria-activedescendant', options[chosen].id);
    };
    input.addEventListener('focus', () => void loadSections());
    const look = async () => {
      const query = input.value;
      const found = rank(await loadSections(), query);
      if (input.value === query) show(found, query);
    };
    input.addEventListener('input', () => void look());
    input.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') open(false);
      if (event.key === 'ArrowDown') move(1);
      if (event.key === 'ArrowUp') move(-1);
      if (event.key === 'Enter') list.querySelectorAll('[data-href]')[Math.max(chosen, 0)]?.click();
      if (['ArrowDown', 'ArrowUp', 'Enter'].includes(event.key)) event.preventDefault();
    });
    document.addEventListener('click', ({ target }) => {
      if (!target.closest('.search')) open(false);
    });
    document.addEventListener('keydown', (event) => {
      const typing = event.target.closest('input, textarea, select');
      if (event.key !== '/' || typing || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      input.focus();
    });
    document.querySelector('.search').hidden = false;
  };

  const option = ({ page, heading, href, excerpt: text }, index) => {
    const item = make('li', { role: 'option', id: `docs-found-${index}`, 'data-href': href });
    item.setAttribute('aria-selected', 'false');
    const title = heading === page ? page : `${page} › ${heading}`;
    item.append(make('strong', {}, title), make('span', {}, text));
    item.addEventListener('click', () => (location.href = href));
    return item;
  };

  document.addEventListener('DOMContentLoaded', () => {
    setUpTheme();
    setUpMenu();
    fillAddress();
    setUpTabs();
    setUpCopy();
    setUpSearch();
  });
})();
