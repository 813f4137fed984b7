/* Sets the remembered theme before the first paint; a plain script, because modules come too late for that. */
(function () {
  'use strict';
  var key = 'inferometer.theme';
  var choices = ['system', 'light', 'dark'];

  function read() {
    try {
      var kept = localStorage.getItem(key);
      return choices.indexOf(kept) >= 0 ? kept : 'system';
    } catch (error) {
      return 'system';
    }
  }

  function apply(choice) {
    var dark = choice === 'dark' || (choice === 'system' && matchMedia('(prefers-color-scheme: dark)').matches);
    document.documentElement.dataset.theme = dark ? 'dark' : 'light';
    document.documentElement.dataset.themeChoice = choice;
    document.dispatchEvent(new CustomEvent('theme'));
  }

  window.inferometerTheme = {
    next: function () {
      var choice = choices[(choices.indexOf(read()) + 1) % choices.length];
      try {
        localStorage.setItem(key, choice);
      } catch (error) {
        // Without storage the choice lasts as long as the page.
      }
      apply(choice);
      return choice;
    },
    choice: read,
  };
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', function () {
    apply(read());
  });
  apply(read());
})();
