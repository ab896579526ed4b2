"""Training of the small networks on simulated pictures; needs the extra `train`, never used at run time.

    python -m vision.training PICTURES                  # draws pictures and trains every field's networks
    python -m vision.training.dice …                    # the dice reader has its own, see there

or step by step, each of which writes vision/weights/NAME.onnx.gz:

    python -m vision.training.pictures PICTURES 300     # rounds of labelled pictures, the more the better
    python -m vision.training.traced PICTURES 0 600     # path-traced ones beside them (Blender's Cycles)
    python -m vision.training.cells tiles PICTURES 14   # likewise seven, faces and planks
    python -m vision.training.row PICTURES 20
    python -m vision.training.any_colors planks PICTURES/any 600   # likewise tiles: NAME-any, for sets of any colors
    python -m vision.training.cells tiles PICTURES 8 further   # goes on from the weights that are shipped

Shipped: trained so from nothing, then further on some 1050 drawn pictures of planks (16 rounds; 600 of them for the
row, 6 rounds), 480 drawn and 42 path-traced ones of tiles (10 rounds) and 320 drawn ones of the seven field (8 rounds);
of six drawn tables five were lived in.

Shipped of the networks for sets of any colors: that of tiles, gone on from the kit's on some 190 drawn pictures, of
which every twelfth was kept aside (7 rounds; far from trained out). That of planks did not read letters better yet.

Not trained on yet by what is shipped: tiles printed in many ways (`lived_in`), arrows bent by chance (`cells.curved`),
half of the dice seen aslant. Tiles trained further on some 370 such pictures misread half as many strange arrows, but
found fewer hands and doubted more (docs/benchmark.md): more hands and more path-traced pictures belong among them.

A network's state is kept beside the pictures, so that more pictures and more rounds can be added later;
remove NAME.pt there to begin anew.

Never trained or tuned on, and kept to measure with: the style families `vision.simulate.style.ASIDE` with the light of
the second, and the rooms `vision.training.traced.HELD_OUT_ROOMS`. What is misread in the third family may not even be
looked at: it is there for the last measurement of a piece of work.
"""
