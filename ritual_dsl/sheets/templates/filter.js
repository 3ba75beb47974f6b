// The one script of a page: a box that leaves only what holds the words written into it.
(function () {
  var box = document.getElementById("filter");
  var none = document.getElementById("none-found");
  if (!box) return;
  box.parentNode.hidden = false;
  var parts = Array.prototype.slice.call(document.querySelectorAll("[data-find]"));
  var texts = parts.map(function (part) { return part.textContent.toLowerCase(); });
  box.addEventListener("input", function () {
    var words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
    var shown = 0;
    parts.forEach(function (part, i) {
      var fits = words.every(function (word) { return texts[i].indexOf(word) >= 0; });
      part.hidden = !fits;
      if (fits) shown += 1;
    });
    none.hidden = shown > 0;
    document.querySelectorAll("[data-group]").forEach(function (group) {
      group.hidden = words.length > 0 && !group.querySelector("[data-find]:not([hidden])");
    });
  });
})();
